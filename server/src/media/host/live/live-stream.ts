/**
 * The live view of one ingest in its media host: the initialisation segment and the fragments since the last key frame,
 * so that a new viewer starts at once. They are sent to the server only while it has viewers; consumers in this process
 * tap the stream.
 */
import { isGopFull } from '../../protocol/gop.ts';
import type { Init } from '../../mp4/remuxer.ts';

export interface Fragment {
  readonly key: boolean;
  /** Seconds on the media timeline. */
  readonly at: number;
  readonly wallMs: number;
  readonly body: Buffer;
  /** A key picture after which pictures may come that refer to those before it. */
  readonly isOpen?: boolean;
}

export interface LiveListener {
  init(init: Init): void;
  fragment(fragment: Fragment): void;
}

export class LiveStream {
  readonly #listener: LiveListener;
  #init: Init | null = null;
  #gop: Fragment[] = [];
  #gopBytes = 0;
  #isSentToServer = false;
  readonly #taps = new Set<LiveListener>();
  #newest: { readonly at: number; readonly wallMs: number } | null = null;
  #reorders = false;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  /** Whether there are viewers, by the server or in this process. */
  get hasViewers(): boolean {
    return this.#isSentToServer || this.#taps.size > 0;
  }

  /** Whether fragments are sent to the server. */
  get isSentToServer(): boolean {
    return this.#isSentToServer;
  }

  get init(): Init | null {
    return this.#init;
  }

  /** The fragments since the last key frame (group of pictures). */
  get gop(): readonly Fragment[] {
    return this.#gop;
  }

  /** Whether pictures come in another order than they are shown in (B-frames). */
  get reorders(): boolean {
    return this.#reorders;
  }

  /** The server has viewers, or none any more. What is there already is sent first. */
  sendToServer(hasViewers: boolean): void {
    if (hasViewers === this.#isSentToServer) return;
    this.#isSentToServer = hasViewers;
    if (hasViewers) this.repeat();
  }

  /** Sends everything that a viewer needs to begin, once more. */
  repeat(): void {
    if (!this.#isSentToServer || !this.#init) return;
    this.#listener.init(this.#init);
    for (const fragment of this.#gop) this.#listener.fragment(fragment);
  }

  /** The media time of what arrived at that time, in seconds; null when there are no pictures. */
  atWall(wallMs: number): number | null {
    if (!this.#newest) return null;
    return Math.max(0, this.#newest.at + (wallMs - this.#newest.wallMs) / 1000);
  }

  /** The listener gets the present stream, and every fragment from now on. */
  tap(listener: LiveListener): Disposable {
    this.#taps.add(listener);
    if (this.#init) listener.init(this.#init);
    return { [Symbol.dispose]: () => void this.#taps.delete(listener) };
  }

  begin(init: Init): void {
    this.end();
    this.#init = init;
    if (this.#isSentToServer) this.#listener.init(init);
    for (const tap of this.#taps) tap.init(init);
  }

  push(fragment: Fragment): void {
    this.#reorders ||= this.#newest !== null && fragment.at < this.#newest.at;
    this.#newest = fragment;
    if (fragment.key) this.#forget();
    if (isGopFull(this.#gop.length, this.#gopBytes)) this.#forget();
    // The rest of a group of pictures is of no use without its key frame.
    if (fragment.key || this.#gop.length > 0) {
      this.#gop.push(fragment);
      this.#gopBytes += fragment.body.length;
    }
    if (this.#isSentToServer) this.#listener.fragment(fragment);
    for (const tap of this.#taps) tap.fragment(fragment);
  }

  /** The stream is over; what comes next is a new one. */
  end(): void {
    this.#init = null;
    this.#newest = null;
    this.#reorders = false;
    this.#forget();
  }

  #forget(): void {
    this.#gop = [];
    this.#gopBytes = 0;
  }
}
