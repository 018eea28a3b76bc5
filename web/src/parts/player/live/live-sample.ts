/** What a live view has received and shown so far, and what two of these say of the time between them. Pure. */
import type { LiveTransport } from './transport-selector.ts';

/** Null where the browser or the transport does not report it. */
export interface LiveSample {
  readonly transport: LiveTransport;
  readonly atMs: number;
  readonly codec: string | null;
  readonly width: number;
  readonly height: number;
  /** Since the transport was opened. */
  readonly pictures: number | null;
  readonly dropped: number | null;
  readonly bytes: number | null;
  /** How far what is shown is behind the newest that was received. */
  readonly delayS: number | null;
}

export interface LiveRates {
  readonly picturesPerS: number | null;
  readonly bitsPerS: number | null;
}

const unknown: LiveRates = { picturesPerS: null, bitsPerS: null };

/** `before`: null for the first; a transport that was opened anew counts from 0 and says nothing yet. */
export function ratesBetween(before: LiveSample | null, now: LiveSample): LiveRates {
  const seconds = before === null ? 0 : (now.atMs - before.atMs) / 1000;
  if (before === null || before.transport !== now.transport || seconds <= 0) return unknown;
  const rate = (from: number | null, to: number | null): number | null =>
    from === null || to === null || to < from ? null : (to - from) / seconds;
  const bytesPerS = rate(before.bytes, now.bytes);
  return {
    picturesPerS: rate(before.pictures, now.pictures),
    bitsPerS: bytesPerS === null ? null : bytesPerS * 8,
  };
}
