/**
 * Model files by their sha256, for all clones of one user: a fresh clone neither fetches nor converts again. They lie
 * beside npm's own cache, which is where the packages come from, and may be removed at any time.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../packs/checksum.ts';
import { isWholeFile } from './whole-file.ts';
import { writeWhole } from './write-whole.ts';

export class ModelCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The one of this user; npm names its folder to the scripts that it runs. */
  static own(): ModelCache {
    const npm = process.env['npm_config_cache'] ?? join(homedir(), '.npm');
    return new ModelCache(join(npm, '_nazar'));
  }

  has(hash: string): boolean {
    return isWholeFile(join(this.#folder, hash), hash);
  }

  /** Null where it is not kept, or damaged. */
  get(hash: string): Buffer | null {
    return this.has(hash) ? readFileSync(join(this.#folder, hash)) : null;
  }

  /** Where the folder cannot be written, the next clone makes the file again. */
  put(bytes: Buffer): void {
    const hash = sha256(bytes);
    if (this.has(hash)) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeWhole(join(this.#folder, hash), bytes);
    } catch {
      // Nothing is lost but time.
    }
  }
}
