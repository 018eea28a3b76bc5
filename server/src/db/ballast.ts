/**
 * A file that reserves disk space for one purpose: when the disk is full, it is deleted, so that PostgreSQL can
 * write its log and start again while an administrator frees space. Without it a server with a full disk
 * cannot even delete.
 */
import { access, open, rm, statfs } from 'node:fs/promises';

const MiB = 1024 * 1024;
/** Four WAL segments of 16 MiB: enough to finish recovery and to delete. */
const ballastBytes = 64 * MiB;
/** Below this the ballast is deleted: PostgreSQL needs up to four new segments between two checks. */
const giveUpBelowBytes = 64 * MiB;
/** It is made (again) only when this much is free beside it, so that it does not itself fill the disk. */
const makeAboveBytes = 1024 * MiB;

export type BallastStep = 'make' | 'free' | 'keep';

/** The next step, from the free space on the disk and whether the ballast exists. */
export function ballastStep(freeBytes: number, present: boolean): BallastStep {
  if (present && freeBytes < giveUpBelowBytes) return 'free';
  if (!present && freeBytes >= makeAboveBytes) return 'make';
  return 'keep';
}

/** Checks the free space and makes or deletes the ballast accordingly; returns the step that it took. */
export async function tendBallast(path: string, folder: string): Promise<BallastStep> {
  const { bavail, bsize } = await statfs(folder);
  const isPresent = await access(path).then(
    () => true,
    () => false,
  );
  const step = ballastStep(bavail * bsize, isPresent);
  if (step === 'free') await rm(path, { force: true });
  if (step === 'make') await make(path);
  return step;
}

/** Written with zeros, because a hole in a file reserves nothing. */
async function make(path: string): Promise<void> {
  try {
    await using file = await open(path, 'w', 0o600);
    const block = Buffer.alloc(MiB);
    for (let written = 0; written < ballastBytes; written += MiB) await file.writeFile(block);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
