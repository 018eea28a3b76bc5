/** A file in parts from key frame to key frame, each short enough to be sent or encoded while a user waits. Pure. */
import type { PlayedSegment } from './playback-store.ts';

/** From the fragment of one key frame up to that of another, or to the end of the file. */
export interface FilePart {
  /** Offsets in bytes. */
  readonly from: number;
  readonly until: number;
  /** Milliseconds since its file began. */
  readonly atMs: number;
  readonly untilMs: number;
}

/** A camera whose key frames are further apart has longer parts; each costs a request of its own. */
const shortestMs = 2_000;

export function partsOf({
  started_at,
  ended_at,
  bytes,
  key_offsets,
  key_times,
}: PlayedSegment): FilePart[] {
  const begins: { from: number; atMs: number }[] = [];
  for (const [index, from] of key_offsets.entries()) {
    const atMs = key_times[index] ?? 0;
    const last = begins.at(-1);
    if (!last || atMs - last.atMs >= shortestMs) begins.push({ from, atMs });
  }
  return begins.map((begin, index) => {
    const next = begins[index + 1];
    const untilMs = next?.atMs ?? Math.max(begin.atMs + 1, +ended_at - +started_at);
    return { ...begin, until: next?.from ?? bytes, untilMs };
  });
}
