/**
 * A camera by HTTP Live Streaming. This source fetches playlists and segments, each by our own policy,
 * and hands FFmpeg their bytes: FFmpeg opens no address of its own.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { faultOf, IngestFault } from '../protocol/fault.ts';
import { openBytes } from './byte-source.ts';
import { inRealTime } from './file-source.ts';
import { readPlaylist, type HlsChoice, type HlsPlaylist, type HlsSegment } from './hls-playlist.ts';
import type { Credentials } from './digest.ts';
import { getPlaced, isStillFor, type Placed } from './http-get.ts';
import type { Source, SourceContext } from './source.ts';

const maxPlaylistBytes = 1024 * 1024;
/** A minute of 8K; a segment is read as FFmpeg takes it, and is not kept. */
const maxSegmentBytes = 512 * 1024 * 1024;
/** A live stream is begun so many segments before its end (RFC 8216, 6.3.3), so that the next one is there in time. */
const liveStartSegments = 3;

export function isPlaylist(contentType: string, { pathname }: URL): boolean {
  return (
    /^(application|audio)\/(vnd\.apple\.|x-)?mpegurl\b/i.test(contentType) ||
    /\.m3u8?$/i.test(pathname)
  );
}

/** `first`: the answer that turned out to be a playlist, and its address. */
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
  /** Why the stream ended. */
  fault: IngestFault | null = null;
  /** Sequence number of the last segment; -1 at the beginning. */
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
        if (segment.isDiscontinuity && this.#sequence >= 0) return;
        this.#sequence = segment.sequence;
        yield* this.#segment(segment);
      }
      if (list.isEnded) return;
      // Without a new segment the playlist is reloaded after half the time (RFC 8216, 6.3.4).
      const everyMs = list.targetSeconds * 1000 * (next.length > 0 ? 1 : 0.5);
      const leftMs = everyMs - (performance.now() - loadedAtMs);
      await wait(Math.max(100, leftMs), undefined, { signal: this.#context.signal });
      list = await this.#load(await this.#get(url));
    }
  }

  /** The media playlist; of several streams the one with the highest bandwidth. */
  async #open(): Promise<{ url: URL; list: HlsPlaylist }> {
    const { url } = this.#first;
    const playlist = await this.#playlist(this.#first);
    const streams = playlist.kind === 'choice' ? playlist.streams : [];
    const bitsPerSecond = streams.map((stream) => stream.bitsPerSecond);
    this.#context.observer?.chose({ reader: 'hls', bitsPerSecond });
    if (playlist.kind === 'segments') return { url, list: playlist };
    const [best] = playlist.streams.toSorted((a, b) => b.bitsPerSecond - a.bitsPerSecond);
    const chosen = await this.#get(best!.url);
    return { url: chosen.url, list: await this.#load(chosen) };
  }

  async #load(placed: Placed): Promise<HlsPlaylist> {
    const playlist = await this.#playlist(placed);
    if (playlist.kind === 'choice') throw new IngestFault('not_video', 'playlists of playlists');
    return playlist;
  }

  async #playlist({ answer, url }: Placed): Promise<HlsPlaylist | HlsChoice> {
    const body = await textOf(answer);
    this.#context.observer?.replied({ protocol: 'hls', method: null, head: '', body });
    return readPlaylist(body, url);
  }

  /** The segments after the last one that was read; at the beginning of a live stream the newest ones. */
  #nextOf({ segments, isEnded }: HlsPlaylist): readonly HlsSegment[] {
    if (this.#sequence < 0) return isEnded ? segments : segments.slice(-liveStartSegments);
    return segments.filter(({ sequence }) => sequence > this.#sequence);
  }

  async *#segment({ url, head }: HlsSegment): AsyncGenerator<Buffer, void> {
    if (head && head.href !== this.#head) {
      // Another head means other codec parameters: the ingest connects anew.
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

  /** Credentials are sent to the host they were given for only, whatever a playlist leads to. */
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
