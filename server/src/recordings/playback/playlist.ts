/**
 * HLS of the index (RFC 8216): a byte range for each file, or for each part of it, and the file's own initialisation
 * once for each stream. Where something is missing or another stream begins, the playlist says so. Pure.
 */
import { seamMs } from '#media/protocol/seam.ts';
import { partsOf } from './parts.ts';
import type { PlayedSegment } from './playback-store.ts';

/** Addresses of files; silent ones by the file whose sound is imitated, too. */
export interface FileAddresses {
  readonly file: (id: string) => string;
  readonly silentHead: (id: string, soundId: string) => string;
  readonly silentFile: (id: string, soundId: string) => string;
}

const hasSound = ({ mime }: PlayedSegment): boolean => mime.includes('mp4a');

/** Whether the file of a segment is gone, although its disk is there. */
export type IsMissing = (segment: PlayedSegment) => boolean;

/**
 * The first file whose sound those without have to imitate: players stop where a stream has other tracks than the one
 * before. Null when all have sound, or none has any that can be imitated (AAC-LC).
 */
function soundToImitate(
  segments: readonly PlayedSegment[],
  isMissing: IsMissing = () => false,
): PlayedSegment | null {
  if (segments.every(hasSound)) return null;
  const canBe = (one: PlayedSegment): boolean => one.mime.includes('mp4a.40.2') && !isMissing(one);
  return segments.find(canBe) ?? null;
}

/**
 * The file whose initialisation segment the stream that begins at `index` is played with: the first that is there, so
 * that one file that is gone does not take the rest of its stream along.
 */
export function headOf(
  segments: readonly PlayedSegment[],
  index: number,
  isMissing: IsMissing,
): PlayedSegment {
  const first = segments[index]!;
  for (let at = index; segments[at]?.stream_id === first.stream_id; at++) {
    if (!isMissing(segments[at]!)) return segments[at]!;
  }
  return first;
}

/** What each of the files is when it is played. */
export function playedMimes(segments: readonly PlayedSegment[]): string[] {
  const sound = soundToImitate(segments);
  return segments.map((one) =>
    sound && !hasSound(one) ? one.mime.replace(/"$/, ',mp4a.40.2"') : one.mime,
  );
}

export interface PlaylistOptions {
  /** Files after a discontinuity bring their own beginning along: for players that begin anew there. */
  readonly ownHeads?: boolean;
  /** Files are named part by part, so that a moment needs two seconds of its file and not ten. */
  readonly inParts?: boolean;
  /** Asked of files whose initialisation others are played with. */
  readonly isMissing?: IsMissing;
}

/** `fromMs`: where playing is to begin, in the first file or before it. */
export function playlistOf(
  segments: readonly PlayedSegment[],
  fromMs: number,
  addresses: FileAddresses,
  { ownHeads = false, inParts = false, isMissing = () => false }: PlaylistOptions = {},
): string {
  const durations = segments.map(({ started_at, ended_at }) => +ended_at - +started_at);
  const lines = playlistHead(segments, durations, fromMs);
  // A player that begins anew does not mind other tracks.
  const sound = ownHeads ? null : soundToImitate(segments, isMissing);
  for (const [index, segment] of segments.entries()) {
    const before = segments[index - 1];
    const isOwn = ownHeads && before !== undefined && !followsOn(before, segment);
    const durationMs = durations[index] ?? 0;
    const whole = { from: isOwn ? 0 : segment.head_bytes, until: segment.bytes, durationMs };
    const ranges = inParts ? inPartsOf(segment, whole) : [whole];
    const media =
      sound !== null
        ? [extInf(durationMs), addresses.silentFile(segment.id, sound.id)]
        : ranges.flatMap((range) => rangeOf(segment, addresses, range));
    const map =
      before?.stream_id === segment.stream_id
        ? null
        : mapOf(headOf(segments, index, isMissing), addresses, sound);
    lines.push(...entryOf(segment, before, { map, media }));
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

/** Where its beginning, if another stream begins with it, and its pictures are. */
interface SegmentLines {
  readonly map: string | null;
  readonly media: readonly string[];
}

interface PlayedRange {
  /** The first byte that is played, and the one after the last. */
  readonly from: number;
  readonly until: number;
  readonly durationMs: number;
}

/** The same bytes and the same time, cut at key pictures. */
function inPartsOf(segment: PlayedSegment, whole: PlayedRange): PlayedRange[] {
  const cuts = partsOf(segment).slice(1);
  return [null, ...cuts].map((cut, index) => {
    const next = cuts[index];
    const untilMs = next?.atMs ?? whole.durationMs;
    const durationMs = Math.max(1, untilMs - (cut?.atMs ?? 0));
    return { from: cut?.from ?? whole.from, until: next?.from ?? whole.until, durationMs };
  });
}

const rangeOf = (
  { id }: PlayedSegment,
  { file }: FileAddresses,
  { from, until, durationMs }: PlayedRange,
): string[] => [extInf(durationMs), `#EXT-X-BYTERANGE:${until - from}@${from}`, file(id)];

/**
 * With `sound` for files with sound, too, though nothing is added to them: FFmpeg, which mpv is built on, asks for a
 * whole file by the range of the file before, and waits a minute for the rest.
 */
const mapOf = (
  { id, head_bytes }: PlayedSegment,
  { file, silentHead }: FileAddresses,
  sound: PlayedSegment | null,
): string =>
  sound === null
    ? `URI="${file(id)}",BYTERANGE="${head_bytes}@0"`
    : `URI="${silentHead(id, sound.id)}"`;

function entryOf(
  segment: PlayedSegment,
  before: PlayedSegment | undefined,
  { map, media }: SegmentLines,
): string[] {
  const { started_at } = segment;
  return [
    ...(before && !followsOn(before, segment) ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(map === null ? [] : [`#EXT-X-MAP:${map}`]),
    `#EXT-X-PROGRAM-DATE-TIME:${started_at.toISOString()}`,
    ...media,
  ];
}

export const extInf = (durationMs: number): string => `#EXTINF:${seconds(durationMs)},`;

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);
