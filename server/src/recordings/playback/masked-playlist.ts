/**
 * HLS of the index for users who may not see behind masks: its files in parts from key frame to key frame, each short
 * enough to be encoded again while the user waits. Pure.
 */
import type { PlayedSegment } from './playback-store.ts';
import { followsOn, headOf, playlistHead, seconds, type IsMissing } from './playlist.ts';

/** From the fragment of one key frame up to that of another, or to the end of the file. */
export interface MaskedPart {
  /** Offsets in bytes. */
  readonly from: number;
  readonly until: number;
  /** Milliseconds since its file began. */
  readonly atMs: number;
  readonly untilMs: number;
}

/** A camera whose key frames are further apart has longer parts; each costs a process and a request of its own. */
const shortestMs = 2_000;

export function partsOf({
  started_at,
  ended_at,
  bytes,
  key_offsets,
  key_times,
}: PlayedSegment): MaskedPart[] {
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

/** Addresses by the file, and by where in it a part begins. */
export interface MaskedAddresses {
  /** The address of the initialisation segment, which is made of that part. */
  readonly head: (segmentId: string, from: number) => string;
  readonly part: (segmentId: string, from: number) => string;
}

/** `fromMs`: where playing is to begin, in the first file or before it. */
export function maskedPlaylistOf(
  segments: readonly PlayedSegment[],
  fromMs: number,
  addresses: MaskedAddresses,
  isMissing: IsMissing = () => false,
): string {
  const parts = segments.map((segment) => partsOf(segment));
  const durations = parts.flat().map(({ atMs, untilMs }) => untilMs - atMs);
  const lines = playlistHead(segments, durations, fromMs);
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    if (before && !followsOn(before, segment)) lines.push('#EXT-X-DISCONTINUITY');
    if (before?.stream_id !== segment.stream_id) {
      const head = headOf(segments, index, isMissing);
      const [first] = partsOf(head);
      lines.push(`#EXT-X-MAP:URI="${addresses.head(head.id, first?.from ?? 0)}"`);
    }
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${segment.started_at.toISOString()}`);
    for (const { from, atMs, untilMs } of parts[index] ?? []) {
      lines.push(`#EXTINF:${seconds(untilMs - atMs)},`, addresses.part(segment.id, from));
    }
  }
  return `${[...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}
