import { closeSync, fsyncSync, openSync } from 'node:fs';

/** What was made, renamed or removed in it is so after a power cut too. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  fsyncSync(file);
  closeSync(file);
}
