/**
 * The list of erased people, outside the database: a restored backup knows nothing of later erasures, so they are
 * repeated from this list before the backup is used. It holds ids only, which name no one.
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ErasedIds {
  readonly personId: string;
  readonly identityIds: readonly string[];
  /** Identities of unknown people that were erased with them: a person who has them in a backup is not erased. */
  readonly unknownIds: readonly string[];
}

const fileName = 'erased.list';
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The prefix of the id of an unknown person's identity. */
const unknownMark = '~';

export class ErasedList {
  readonly #folder: string;
  #written: Set<string> | null = null;

  /** `folder` is made when the first entry is. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Resolves when it is on the disk. People who are in it already are not written again. One call at a time. */
  async append(people: readonly ErasedIds[]): Promise<void> {
    this.#written ??= new Set((await this.read()).map(({ personId }) => personId));
    const written = this.#written;
    const fresh = people.filter(({ personId }) => !written.has(personId));
    if (fresh.length === 0) return;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(join(this.#folder, fileName), 'a', 0o600);
    try {
      const lines = fresh.map(({ personId, identityIds, unknownIds }) =>
        [personId, ...identityIds, ...unknownIds.map((one) => unknownMark + one)].join(' '),
      );
      // After a line that was cut off a new one begins.
      await file.appendFile(`\n${lines.join('\n')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    for (const { personId } of fresh) written.add(personId);
  }

  /** A line that a power cut left half written is not read; its person is appended again. */
  async read(): Promise<ErasedIds[]> {
    let text: string;
    try {
      text = await readFile(join(this.#folder, fileName), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
    return text.split('\n').flatMap((line) => {
      const [personId = '', ...words] = line.split(' ');
      const identityIds = words.filter((word) => !word.startsWith(unknownMark));
      const unknownIds = words.flatMap((word) =>
        word.startsWith(unknownMark) ? [word.slice(unknownMark.length)] : [],
      );
      const isWhole = [personId, ...identityIds, ...unknownIds].every((word) => id.test(word));
      return isWhole ? [{ personId, identityIds, unknownIds }] : [];
    });
  }
}
