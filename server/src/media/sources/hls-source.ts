/**
 * HTTP Live Streaming as a camera: playlists and segments are fetched here, each by our own policy (C-510, C-512), and
 * FFmpeg is handed their bytes: it opens no address of its own.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { faultOf, IngestFault } from '../protocol/fault.ts';
import { openBytes } from './byte-source.ts';
import { inRealTime } from './file-source.ts';
import { readPlaylist, type HlsPlaylist, type HlsSegment } from './hls-playlist.ts';
import type { Credentials } from './digest.ts';
import { getPlaced, isStillFor, type Placed } from './http-get.ts';
import type { Source, SourceContext } from './source.ts';

const maxPlaylistBytes = 1024 * 1024;
/** A minute of 8K; a segment is read as FFmpeg takes it, and kept nowhere. */
const maxSegmentBytes = 512 * 1024 * 1024;
/** So far from the newest one a live stream is begun (RFC 8216, 6.3.3), so that the next is there in time. */
const behind = 3;

export function isPlaylist(contentType: string, { pathname }: URL): boolean {
  return (
    /^(application|audio)\/(vnd\.apple\.|x-)?mpegurl\b/i.test(contentType) ||
    /\.m3u8?$/i.test(pathname)
  );
}

/** `first`: the answer that told that it is a playlist, and where it was. */
export async function openHls(
  first: Placed,
  credentials: Credentials | null,
  context: SourceContext,
): Promise<Source> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([context.signal, stopped.signal]);
  const stream = new HlsStream(first, credentials, { ...context, signal });
  const stop = (): void => {
    stopped.abort();
    first.answer.destroy();
  };
  const source = await openBytes({
    chunks: stream.bytes(),
    withSound: context.withSound ?? false,
    stop,
    why: () => stream.fault,
  });
  return inRealTime(source, 'once');
}

class HlsStream {
  readonly #credentials: Credentials | null;
  readonly #camera: URL;
  readonly #context: SourceContext;
  readonly #first: Placed;
  /** Why there is no more. */
  fault: IngestFault | null = null;
  /** The sequence number of the segment before; -1 at the beginning. */
  #sequence = -1;
  #head: string | null = null;

  constructor(first: Placed, credentials: Credentials | null, context: SourceContext) {
    this.#first = first;
    this.#camera = first.asked;
    this.#credentials = credentials;
    this.#context = context;
  }

  async *bytes(): AsyncGenerator<Buffer, void> {
    try {
      yield* this.#follow();
    } catch (error) {
      this.fault =
        error instanceof IngestFault ? error : new IngestFault('ended', 'cut off', error);
    }
  }

  async *#follow(): AsyncGenerator<Buffer, void> {
    let { url, list } = await this.#open();
    for (;;) {
      const loadedAtMs = performance.now();
      const next = this.#nextOf(list);
      for (const segment of next) {
        if (segment.isCut && this.#sequence >= 0) return;
        this.#sequence = segment.sequence;
        yield* this.#segment(segment);
      }
      if (list.isEnded) return;
      // Nothing new: half the time until the next look (RFC 8216, 6.3.4).
      const everyMs = list.targetSeconds * 1000 * (next.length > 0 ? 1 : 0.5);
      const leftMs = everyMs - (performance.now() - loadedAtMs);
      await wait(Math.max(100, leftMs), undefined, { signal: this.#context.signal });
      list = await this.#load(await this.#get(url));
    }
  }

  /** The playlist of segments, by way of the best stream where there are several. */
  async #open(): Promise<{ url: URL; list: HlsPlaylist }> {
    const { answer, url } = this.#first;
    const playlist = readPlaylist(await textOf(answer), url);
    if (playlist.kind === 'segments') return { url, list: playlist };
    const [best] = playlist.streams.toSorted((a, b) => b.bitsPerSecond - a.bitsPerSecond);
    const chosen = await this.#get(best!.url);
    return { url: chosen.url, list: await this.#load(chosen) };
  }

  async #load({ answer, url }: Placed): Promise<HlsPlaylist> {
    const playlist = readPlaylist(await textOf(answer), url);
    if (playlist.kind === 'choice') throw new IngestFault('not_video', 'playlists of playlists');
    return playlist;
  }

  /** Those that follow what was read; of a live stream that is just begun, or was lost, the newest. */
  #nextOf({ segments, isEnded }: HlsPlaylist): readonly HlsSegment[] {
    if (this.#sequence < 0) return isEnded ? segments : segments.slice(-behind);
    return segments.filter(({ sequence }) => sequence > this.#sequence);
  }

  async *#segment({ url, head }: HlsSegment): AsyncGenerator<Buffer, void> {
    if (head && head.href !== this.#head) {
      // Another head means other parameters: a new connection begins with them.
      if (this.#head !== null) throw new IngestFault('ended', 'begins anew');
      this.#head = head.href;
      yield* this.#read(head);
    }
    yield* this.#read(url);
  }

  async *#read(url: URL): AsyncGenerator<Buffer, void> {
    const { answer } = await this.#get(url);
    yield* bounded(answer, maxSegmentBytes);
  }

  /** Credentials are for the host they were given for, whatever a playlist leads to (C-512). */
  #get(url: URL): Promise<Placed> {
    const known = isStillFor(url, this.#camera) ? this.#credentials : null;
    return getPlaced(url, known, this.#context);
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(answer, maxPlaylistBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function* bounded(answer: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new IngestFault('damaged', 'an answer is too large');
      yield chunk;
    }
  } catch (error) {
    throw error instanceof IngestFault
      ? error
      : new IngestFault('ended', 'cut off', faultOf(error));
  } finally {
    answer.destroy();
  }
}
