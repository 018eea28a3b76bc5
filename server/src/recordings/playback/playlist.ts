/**
 * HLS of the index (RFC 8216): a byte range for each file, and the file's own initialisation once for each stream.
 * Where something is missing or another stream begins, the playlist says so. Pure.
 */
import { seamMs } from '#media/media.ts';
import type { PlayedSegment } from './playback-store.ts';

/** `fromMs`: where playing is to begin, in the first file or before it. `uriOf`: the address of a file. */
export function playlistOf(
  segments: readonly PlayedSegment[],
  fromMs: number,
  uriOf: (id: string) => string,
): string {
  const durations = segments.map(({ started_at, ended_at }) => +ended_at - +started_at);
  const lines = playlistHead(segments, durations, fromMs);
  for (const [index, segment] of segments.entries()) {
    const uri = uriOf(segment.id);
    lines.push(...entryOf(segment, segments[index - 1], uri, durations[index] ?? 0));
  }
  return `${[...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}

/** The lines before the first piece; `seconds` are the pieces' durations. */
export function playlistHead(
  segments: readonly PlayedSegment[],
  durations: readonly number[],
  fromMs: number,
): string[] {
  const [first] = segments;
  const startMs = first ? Math.max(0, fromMs - first.started_at.getTime()) : 0;
  const longestMs = durations.reduce((longest, one) => Math.max(longest, one), 1_000);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longestMs / 1_000)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-START:TIME-OFFSET=${seconds(startMs)},PRECISE=YES`,
  ];
}

/** Whether nothing is missing between them, and the same stream goes on. */
export const followsOn = (before: PlayedSegment, { stream_id, started_at }: PlayedSegment) =>
  before.stream_id === stream_id && +started_at - +before.ended_at <= seamMs;

function entryOf(
  segment: PlayedSegment,
  before: PlayedSegment | undefined,
  uri: string,
  durationMs: number,
): string[] {
  const { started_at, bytes, head_bytes, stream_id } = segment;
  return [
    ...(before && !followsOn(before, segment) ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(before?.stream_id === stream_id
      ? []
      : [`#EXT-X-MAP:URI="${uri}",BYTERANGE="${head_bytes}@0"`]),
    `#EXT-X-PROGRAM-DATE-TIME:${started_at.toISOString()}`,
    `#EXTINF:${seconds(durationMs)},`,
    `#EXT-X-BYTERANGE:${bytes - head_bytes}@${head_bytes}`,
    uri,
  ];
}

export const seconds = (ms: number): string => (ms / 1_000).toFixed(3);
