/** Reads as much of HTTP Live Streaming playlists (RFC 8216) as a camera needs. Pure; the caller bounds their size. */
import { IngestFault } from '../protocol/fault.ts';

export interface HlsSegment {
  readonly url: URL;
  /** Media sequence number; it continues from one reload to the next. */
  readonly sequence: number;
  readonly seconds: number;
  /** The media initialization section to read before it; null for MPEG-TS. */
  readonly head: URL | null;
  /** Times and codec parameters begin anew with this segment. */
  readonly isDiscontinuity: boolean;
}

export interface HlsPlaylist {
  readonly kind: 'segments';
  readonly segments: readonly HlsSegment[];
  /** No segment is longer. */
  readonly targetSeconds: number;
  /** The stream ends with the last segment. */
  readonly isEnded: boolean;
}

/** A multivariant playlist: the same content at several bandwidths. */
export interface HlsChoice {
  readonly kind: 'choice';
  readonly streams: readonly { readonly url: URL; readonly bitsPerSecond: number }[];
}

const maxSegments = 10_000;
const maxSeconds = 600;

/** Throws an IngestFault: `not_video`, `encrypted`. */
export function readPlaylist(text: string, base: URL): HlsPlaylist | HlsChoice {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (!lines[0]?.startsWith('#EXTM3U')) throw new IngestFault('not_video', 'no playlist');
  return lines.some((line) => line.startsWith('#EXT-X-STREAM-INF'))
    ? choiceIn(lines, base)
    : segmentsIn(lines, base);
}

function choiceIn(lines: readonly string[], base: URL): HlsChoice {
  const streams: { url: URL; bitsPerSecond: number }[] = [];
  let bitsPerSecond: number | null = null;
  for (const line of lines) {
    if (line.startsWith('#EXT-X-STREAM-INF:')) {
      bitsPerSecond = Number(/[:,]BANDWIDTH=(\d{1,12})/.exec(line)?.[1] ?? 0);
    } else if (bitsPerSecond !== null && isAddress(line)) {
      streams.push({ url: resolved(line, base), bitsPerSecond });
      bitsPerSecond = null;
    }
  }
  if (streams.length === 0) throw new IngestFault('not_video', 'a playlist without streams');
  return { kind: 'choice', streams };
}

function segmentsIn(lines: readonly string[], base: URL): HlsPlaylist {
  const segments: HlsSegment[] = [];
  let sequence = Number(tagIn(lines, 'MEDIA-SEQUENCE') ?? 0);
  let seconds: number | null = null;
  let head: URL | null = null;
  let isDiscontinuity = false;
  for (const line of lines) {
    if (line.startsWith('#EXTINF:')) seconds = bounded(Number.parseFloat(line.slice(8)));
    else if (line.startsWith('#EXT-X-DISCONTINUITY') && !line.includes('SEQUENCE'))
      isDiscontinuity = true;
    else if (line.startsWith('#EXT-X-KEY:') && !/METHOD=NONE/.test(line)) {
      throw new IngestFault('encrypted');
    } else if (line.startsWith('#EXT-X-BYTERANGE') || /^#EXT-X-MAP:.*BYTERANGE=/.test(line)) {
      throw new IngestFault('not_video', 'segments that are parts of one file');
    } else if (line.startsWith('#EXT-X-MAP:')) {
      head = resolved(/URI="([^"]*)"/.exec(line)?.[1] ?? '', base);
    } else if (seconds !== null && isAddress(line)) {
      segments.push({ url: resolved(line, base), sequence, seconds, head, isDiscontinuity });
      if (segments.length > maxSegments)
        throw new IngestFault('not_video', 'a playlist without end');
      sequence += 1;
      [seconds, isDiscontinuity] = [null, false];
    }
  }
  const targetSeconds = Math.max(0.5, bounded(Number(tagIn(lines, 'TARGETDURATION') ?? 5)));
  const isEnded = lines.some((line) => line.startsWith('#EXT-X-ENDLIST'));
  return { kind: 'segments', segments, targetSeconds, isEnded };
}

const isAddress = (line: string): boolean => line.trim() !== '' && !line.startsWith('#');

/** Digits only, so that a camera's text is never read as another kind of number. */
function tagIn(lines: readonly string[], name: string): string | undefined {
  const line = lines.find((each) => each.startsWith(`#EXT-X-${name}:`));
  return line && /:(\d{1,15})/.exec(line)?.[1];
}

function bounded(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(maxSeconds, Math.max(0, seconds)) : 0;
}

function resolved(address: string, base: URL): URL {
  const url = URL.parse(address.trim(), base.href);
  if (!url) throw new IngestFault('not_video', 'a playlist that leads nowhere');
  return url;
}
