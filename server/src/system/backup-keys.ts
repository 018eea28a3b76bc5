/**
 * The keys of identities, beside the backups and not in them: one file for all backups of a folder, written
 * anew with each. A person who was erased loses their line at the next backup, and from then on no older backup
 * can show them. Keys are sealed as in the database.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Snapshot } from '#db/dump.ts';
import { Refusal } from '#lib/refusal.ts';

/** The column that `faces` keeps them in. */
export interface KeyColumn {
  readonly table: string;
  readonly key: string;
  readonly value: string;
}

const fileName = 'identity-keys';
const batch = 1000;

/** Key and value of each line; none when there is no file. Throws a Refusal for a line that is not one. */
export async function* identityKeys(folder: string): AsyncGenerator<[string, Buffer]> {
  const path = join(folder, fileName);
  if (!existsSync(path)) return;
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number += 1;
    const [, key, value] = /^([-0-9a-f]{36}) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) {
      throw new Refusal(`${path} is damaged at line ${number}.`);
    }
    yield [key, Buffer.from(value, 'base64')];
  }
}

/**
 * Writes the current keys, and earlier ones that the database does not have: it may have been set back to an
 * older state, which erases no person. `erased` names those it has forgotten on purpose.
 */
export async function writeIdentityKeys(
  folder: string,
  snapshot: Snapshot,
  { table, key, value }: KeyColumn,
  erased: ReadonlySet<string>,
): Promise<number> {
  const path = join(folder, fileName);
  const draft = `${path}.partial`;
  const file = openSync(draft, 'w', 0o600);
  let written = 0;
  const write = (id: string, sealed: Buffer): void => {
    writeSync(file, `${id} ${sealed.toString('base64')}\n`);
    written += 1;
  };
  try {
    for await (const [id, sealed] of snapshot.pairs(table, key, value)) write(id, sealed);
    for await (const earlier of batches(identityKeys(folder))) {
      const known = await snapshot.present(
        table,
        key,
        earlier.map(([id]) => id),
      );
      for (const [id, sealed] of earlier) {
        if (!known.has(id) && !erased.has(id)) write(id, sealed);
      }
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  return written;
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let some: T[] = [];
  for await (const item of items) {
    some.push(item);
    if (some.length < batch) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
