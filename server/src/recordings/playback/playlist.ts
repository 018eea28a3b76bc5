/**
 * HLS of what is in the index (RFC 8216): a byte range for each file, and the file's own beginning once for each
 * stream. Where something is missing or another stream begins, a player is told so. Pure.
 */
import { seamMs } from '#media/media.ts';
import type { PlayedSegment } from './playback-store.ts';

/** `fromMs`: where playing is to begin, in the first file or before it. `uriOf`: where a file is to be had. */
export function playlistOf(
  segments: readonly PlayedSegment[],
  fromMs: number,
  uriOf: (id: string) => string,
): string {
  const durations = segments.map(({ started_at, ended_at }) => +ended_at - +started_at);
  const [first] = segments;
  const startMs = first ? Math.max(0, fromMs - first.started_at.getTime()) : 0;
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(1_000, ...durations) / 1_000)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-START:TIME-OFFSET=${seconds(startMs)},PRECISE=YES`,
  ];
  for (const [index, segment] of segments.entries()) {
    const uri = uriOf(segment.id);
    lines.push(...entryOf(segment, segments[index - 1], uri, durations[index] ?? 0));
  }
  return `${[...lines, '#EXT-X-ENDLIST'].join('\n')}\n`;
}

function entryOf(
  { started_at, bytes, head_bytes, stream_id }: PlayedSegment,
  before: PlayedSegment | undefined,
  uri: string,
  durationMs: number,
): string[] {
  const isSameStream = before?.stream_id === stream_id;
  const follows = isSameStream && +started_at - +before.ended_at <= seamMs;
  return [
    ...(before && !follows ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(isSameStream ? [] : [`#EXT-X-MAP:URI="${uri}",BYTERANGE="${head_bytes}@0"`]),
    `#EXT-X-PROGRAM-DATE-TIME:${started_at.toISOString()}`,
    `#EXTINF:${seconds(durationMs)},`,
    `#EXT-X-BYTERANGE:${bytes - head_bytes}@${head_bytes}`,
    uri,
  ];
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);
