/**
 * The rule of retention: what a camera recorded goes when it is older than the camera's days, and the oldest of a disk
 * goes while the disk has less room than it must. What is held stays (`hold-store.ts`).
 */
import type { Space } from '../roots.ts';

const dayMs = 24 * 60 * 60_000;
const GiB = 1024 ** 3;

/** How many days of a camera's recordings are kept. */
export interface Kept {
  readonly cameraId: string;
  readonly days: number;
}

/** What ended before that is older than its camera's days. */
export interface Aged {
  readonly cameraId: string;
  readonly before: Date;
}

export function agedAt(nowMs: number, kept: readonly Kept[]): Aged[] {
  return kept.map(({ cameraId, days }) => ({ cameraId, before: new Date(nowMs - days * dayMs) }));
}

/**
 * What stays free on a disk: 5 %, 2 GiB, or what an hour of recording takes, whichever is most; on a small
 * disk at most a fifth.
 */
export function reserveBytes(totalBytes: number, hourBytes: number): number {
  return Math.min(totalBytes / 5, Math.max(totalBytes / 20, 2 * GiB, hourBytes));
}

/** Whether the oldest of a disk must go. Null: the disk is away or does not answer, and loses nothing. */
export function isTight(space: Space | null, hourBytes: number): boolean {
  return space !== null && space.freeBytes < reserveBytes(space.totalBytes, hourBytes);
}
