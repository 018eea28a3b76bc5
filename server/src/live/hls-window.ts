/**
 * The last seconds of a live view as HLS (RFC 8216) for players that know nothing else: the fragments that all
 * viewers get, put together from key frame to key frame, in memory, for as long as a player asks.
 */
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { EndReason, Viewer } from '#media/media.ts';
import type { LiveFragment } from '#media/protocol/messages.ts';

interface Segment {
  readonly number: number;
  /** Which initialisation segment it needs. */
  readonly init: number;
  readonly seconds: number;
  readonly body: Buffer;
}

interface Open {
  readonly startsAt: number;
  readonly pieces: Uint8Array[];
  bytes: number;
  endsAt: number;
}

/** Players keep three segments; the rest is for those that are late. */
const maxSegments = 6;
/** Short ones are seen sooner; below this requests outnumber what they bring. */
const shortestS = 1;
/** A larger segment is dropped: the stream has no key frames, and no player can start it. */
const maxOpenBytes = 32 * 1024 * 1024;

export class HlsWindow implements Viewer {
  readonly #inits = new Map<number, Buffer>();
  #segments: Segment[] = [];
  #open: Open | null = null;
  #made: number;
  #init: number;
  #mime = '';
  #ready = Promise.withResolvers<void>();
  readonly #replaced = Promise.withResolvers<void>();

  /** `before`: the window whose players go on with this one; numbers are not used again. */
  constructor(before: HlsWindow | null = null) {
    this.#made = before ? before.#made : 0;
    this.#init = before ? before.#init : 0;
  }

  /** Resolves when there is something to play, or never will be. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  text(json: string): void {
    const message = JSON.parse(json) as LiveMessage;
    if (message.kind === 'stream') this.#mime = message.mime;
  }

  binary(bytes: Uint8Array, fragment: LiveFragment | null): void {
    if (fragment) this.#push(Buffer.from(bytes), fragment);
    else this.#begin(Buffer.from(bytes));
  }

  queuedBytes(): number {
    return 0;
  }

  /** Resolves when another view has its place. */
  get replaced(): Promise<void> {
    return this.#replaced.promise;
  }

  close(reason: EndReason): void {
    if (reason === 'replaced') this.#replaced.resolve();
    this.#ready.resolve();
  }

  /** Players find nothing of before any more; they wait for what comes next. */
  forget(): void {
    this.#open = null;
    this.#inits.clear();
    if (this.#segments.length === 0) return;
    this.#segments = [];
    this.#ready = Promise.withResolvers();
  }

  /** What there is to choose from: this stream, at `address`. Null before the first segment. */
  master(address: string): string | null {
    if (this.#segments.length === 0) return null;
    const codec = /codecs="([^"]*)"/.exec(this.#mime)?.[1] ?? '';
    const bytesPerS = this.#segments.map(({ body, seconds }) => body.length / seconds);
    const bandwidth = Math.ceil(8 * Math.max(...bytesPerS));
    const lines = [`#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},CODECS="${codec}"`, address];
    return playlist(lines);
  }

  /** The segments by their names, the newest last. Null before the first. */
  media(): string | null {
    const [first] = this.#segments;
    if (!first) return null;
    const longest = Math.max(...this.#segments.map(({ seconds }) => seconds));
    const lines = [
      `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
      `#EXT-X-MEDIA-SEQUENCE:${first.number}`,
      // A discontinuity for each stream that began since the first.
      `#EXT-X-DISCONTINUITY-SEQUENCE:${first.init - 1}`,
    ];
    let init = 0;
    for (const segment of this.#segments) {
      if (init !== 0 && segment.init !== init) lines.push('#EXT-X-DISCONTINUITY');
      if (segment.init !== init) lines.push(`#EXT-X-MAP:URI="init-${segment.init}.mp4"`);
      init = segment.init;
      lines.push(`#EXTINF:${segment.seconds.toFixed(3)},`, `${segment.number}.m4s`);
    }
    return playlist(lines);
  }

  /** A part by the name that a playlist gives it; null when it is not there any more. */
  part(name: string): Buffer | null {
    const [, init] = /^init-(\d{1,9})\.mp4$/.exec(name) ?? [];
    if (init !== undefined) return this.#inits.get(Number(init)) ?? null;
    const [, number] = /^(\d{1,9})\.m4s$/.exec(name) ?? [];
    return this.#segments.find((segment) => String(segment.number) === number)?.body ?? null;
  }

  #begin(init: Buffer): void {
    this.#close();
    this.#init += 1;
    this.#inits.set(this.#init, init);
  }

  #push(body: Buffer, { key, at }: LiveFragment): void {
    const open = this.#open;
    if (open && (open.bytes > maxOpenBytes || (key && at - open.startsAt >= shortestS))) {
      open.endsAt = at;
      this.#close();
    }
    if (key) this.#open ??= { startsAt: at, pieces: [], bytes: 0, endsAt: at };
    if (!this.#open) return;
    this.#open.pieces.push(body);
    this.#open.bytes += body.length;
    this.#open.endsAt = Math.max(this.#open.endsAt, at);
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    const seconds = open ? open.endsAt - open.startsAt : 0;
    if (!open || seconds <= 0 || open.bytes > maxOpenBytes) return;
    const body = Buffer.concat(open.pieces);
    this.#segments.push({ number: this.#made, init: this.#init, seconds, body });
    this.#made += 1;
    if (this.#segments.length > maxSegments) this.#segments = this.#segments.slice(-maxSegments);
    const oldest = this.#segments[0]?.init ?? this.#init;
    for (const number of this.#inits.keys()) if (number < oldest) this.#inits.delete(number);
    this.#ready.resolve();
  }
}

const playlist = (lines: readonly string[]): string =>
  `${['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`;
