import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes under another name first: a run that is killed half-way leaves no half file under the right name. */
export function writeWhole(path: string, bytes: Buffer): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, bytes, { flush: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
