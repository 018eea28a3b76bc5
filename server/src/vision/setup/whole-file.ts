/** Whether a file is what its sha256 says, for set-up, which does one thing after another. */
import { existsSync, readFileSync } from 'node:fs';
import { sha256 } from '../packs/checksum.ts';

export const isWholeFile = (path: string, expected: string): boolean =>
  existsSync(path) && sha256(readFileSync(path)) === expected;
