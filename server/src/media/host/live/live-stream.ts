/**
 * The live view of one ingest as the host keeps it: the initialisation segment and the fragments since the
 * last key frame, so that a viewer who comes starts at once. Tells the server only while somebody watches
 * there; whoever watches in this process taps it.
 */
import { isGopFull } from '../../protocol/gop.ts';
import type { Init } from '../../mp4/remuxer.ts';

export interface Fragment {
  readonly key: boolean;
  /** Seconds on the media timeline. */
  readonly at: number;
  readonly wallMs: number;
  readonly body: Buffer;
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
  #isTold = false;
  readonly #taps = new Set<LiveListener>();
  #newest: { readonly at: number; readonly wallMs: number } | null = null;
  #reorders = false;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  /** Whether anybody watches at all. */
  get watched(): boolean {
    return this.#isTold || this.#taps.size > 0;
  }

  /** Whether the server is told. */
  get isTold(): boolean {
    return this.#isTold;
  }

  get init(): Init | null {
    return this.#init;
  }

  /** The pictures since the last key picture. */
  get gop(): readonly Fragment[] {
    return this.#gop;
  }

  /** Whether its pictures come in another order than they are shown in (B-frames). */
  get reorders(): boolean {
    return this.#reorders;
  }

  /** Somebody watches, or nobody does any more. The first to come hears what is there already. */
  setWatched(watched: boolean): void {
    if (watched === this.#isTold) return;
    this.#isTold = watched;
    if (watched) this.repeat();
  }

  /** Everything a viewer needs to begin, once more. */
  repeat(): void {
    if (!this.#isTold || !this.#init) return;
    this.#listener.init(this.#init);
    for (const fragment of this.#gop) this.#listener.fragment(fragment);
  }

  /** Where viewers see what arrived at that time; null when there is nothing to see. */
  atWall(wallMs: number): number | null {
    if (!this.#newest) return null;
    return Math.max(0, this.#newest.at + (wallMs - this.#newest.wallMs) / 1000);
  }

  /** Hears of the stream there is, and of every picture from now on. */
  tap(listener: LiveListener): Disposable {
    this.#taps.add(listener);
    if (this.#init) listener.init(this.#init);
    return { [Symbol.dispose]: () => void this.#taps.delete(listener) };
  }

  begin(init: Init): void {
    this.end();
    this.#init = init;
    if (this.#isTold) this.#listener.init(init);
    for (const tap of this.#taps) tap.init(init);
  }

  push(fragment: Fragment): void {
    this.#reorders ||= this.#newest !== null && fragment.at < this.#newest.at;
    this.#newest = fragment;
    if (fragment.key) this.#forget();
    if (isGopFull(this.#gop.length, this.#gopBytes)) this.#forget();
    // Without its key frame the rest of a group of pictures serves nobody.
    if (fragment.key || this.#gop.length > 0) {
      this.#gop.push(fragment);
      this.#gopBytes += fragment.body.length;
    }
    if (this.#isTold) this.#listener.fragment(fragment);
    for (const tap of this.#taps) tap.fragment(fragment);
  }

  /** The stream is over; what comes next begins anew. */
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
