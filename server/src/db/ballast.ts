/**
 * A file that holds disk space for one purpose: when the disk is full, it goes, so that PostgreSQL can
 * write its log and start again while somebody makes room. Without it a full disk is a server that
 * cannot even delete.
 */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';

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
export function tendBallast(path: string, folder: string): BallastStep {
  const { bavail, bsize } = statfsSync(folder);
  const step = ballastStep(bavail * bsize, existsSync(path));
  if (step === 'free') rmSync(path, { force: true });
  if (step === 'make') make(path);
  return step;
}

/** Written with zeros, not as a hole: a hole holds nothing. */
function make(path: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    const block = Buffer.alloc(MiB);
    for (let written = 0; written < ballastBytes; written += MiB) writeSync(file, block);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
