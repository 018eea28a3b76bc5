/**
 * A file that holds disk space for one purpose: when the disk is full, it goes, so that PostgreSQL can
 * write its log and start again while somebody makes room. Without it a full disk is a server that
 * cannot even delete.
 */
import { access, open, rm, statfs } from 'node:fs/promises';

const MiB = 1024 * 1024;
/** Four WAL segments of 16 MiB: enough to finish recovery and to delete. */
export const ballastBytes = 64 * MiB;
/** Below this the ballast is given up: PostgreSQL needs up to four new segments between two looks. */
const giveUpBelowBytes = 64 * MiB;
/** It is made (again) only when there is this much beside it, so that it does not itself fill the disk. */
const makeAboveBytes = 1024 * MiB;

export type BallastStep = 'make' | 'free' | 'keep';

/** What to do now, from what is free on the disk and whether the ballast is there. */
export function ballastStep(freeBytes: number, present: boolean): BallastStep {
  if (present && freeBytes < giveUpBelowBytes) return 'free';
  if (!present && freeBytes >= makeAboveBytes) return 'make';
  return 'keep';
}

/** Looks at the disk and does what is to be done; says what that was. */
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

/** Written with zeros, not as a hole: a hole holds nothing. */
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
