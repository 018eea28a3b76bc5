/**
 * Anchors: where the chain ended at some moment, written outside the database, so that a chain that was cut at
 * its end, or rewritten as a whole, is detected. Each is one signed line, synced to the disk.
 */
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretKey } from '#lib/secrets.ts';
import type { Link } from './chain.ts';

export interface Anchor {
  readonly sequence: number;
  /** Hexadecimal. */
  readonly mac: string;
  readonly at: string;
}

const fileName = 'anchors';

export class Anchors {
  readonly #folder: string;
  readonly #key: SecretKey;

  constructor(folder: string, key: SecretKey) {
    this.#folder = folder;
    this.#key = key;
  }

  async append({ sequence, mac }: Link, atMs: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const words = [sequence, mac.toString('hex'), new Date(atMs).toISOString()].join(' ');
    const line = `${words} ${this.#key.sign(`anchor ${words}`).toString('hex')}\n`;
    const whole = await this.#text();
    await using file = await open(join(this.#folder, fileName), 'a', 0o600);
    // A line that a power cut left unfinished means nothing and must not spoil ours.
    if (!whole.endsWith('\n')) await file.truncate(whole.lastIndexOf('\n') + 1);
    await file.writeFile(line);
    await file.sync();
  }

  /** In the order in which they were written; null for a line that this server did not write. */
  async read(): Promise<(Anchor | null)[]> {
    const lines = (await this.#text()).split('\n');
    return lines.slice(0, -1).map((line) => this.#parse(line));
  }

  #parse(line: string): Anchor | null {
    const [sequence = '', mac = '', at = '', signature = ''] = line.split(' ');
    const isOurs = this.#key.verify(
      `anchor ${sequence} ${mac} ${at}`,
      Buffer.from(signature, 'hex'),
    );
    return isOurs ? { sequence: Number(sequence), mac, at } : null;
  }

  /** A year of anchors, one every five minutes, has 16 MB. */
  async #text(): Promise<string> {
    try {
      return await readFile(join(this.#folder, fileName), 'latin1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}
