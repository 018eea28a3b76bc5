/** The newest still of a camera: what lies under a live picture, and all there is where none can be played. */
import { useEffect, useState } from 'react';
import type { PlayerState } from '../player-state.ts';
import { stillAddress } from '../still-address.ts';

/** Where no stream can be played the still is at least kept fresh. */
const STILL_REFRESH_MS = 5000;

export interface StillWishes {
  /** Whether the camera sends pictures: afterwards the last still stays. */
  readonly sends: boolean;
  /** As of when another still is asked for, where stills are taken by turns; in milliseconds of `Date.now()`. */
  readonly turnMs?: number | undefined;
  /** A stream has shown a picture, which is newer than any still. */
  readonly hasPicture: boolean;
}

/**
 * The address of the newest still: again after each interruption, and regularly while it is all there is. Null before
 * the first.
 */
export function useStill(
  cameraId: string,
  state: PlayerState,
  { sends, hasPicture, turnMs = 0 }: StillWishes,
): string | null {
  const [takenMs, setTakenMs] = useState(Date.now);
  const { kind } = state;
  const playing = kind === 'playing';
  const isOver = kind === 'idle' || (kind === 'ended' && state.why !== 'unsupported');
  const only = !isOver && !hasPicture;
  useEffect(() => {
    if (!playing) return undefined;
    return () => setTakenMs(Date.now());
  }, [playing]);
  useEffect(() => {
    if (!only) return undefined;
    const timer = setInterval(() => setTakenMs(Date.now()), STILL_REFRESH_MS);
    return () => clearInterval(timer);
  }, [only]);
  const newest = stillAddress(cameraId, Math.max(takenMs, turnMs));
  const [kept, setKept] = useState<string | null>(null);
  if (sends && kept !== newest) setKept(newest);
  return kept;
}
