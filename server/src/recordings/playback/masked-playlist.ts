/**
 * HLS of the index for users who may not see behind masks: its files in parts from key frame to key frame, each short
 * enough to be encoded again while the user waits. Pure.
 */
import { partsOf } from './parts.ts';
import type { PlayedSegment } from './playback-store.ts';
import { extInf, followsOn, headOf, playlistHead, type IsMissing } from './playlist.ts';

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
      lines.push(extInf(untilMs - atMs), addresses.part(segment.id, from));
    }
  }
  return `${[...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}
