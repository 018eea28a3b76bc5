/**
 * The live view of one ingest as the host keeps it: the initialisation segment and the fragments since the
 * last key frame, so that a viewer who comes starts at once. Says things only while somebody watches.
 */
import type { Init } from './remuxer.ts';

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

/** Smart codecs send a key frame every 10 s or so; beyond this a new viewer waits for the next one. */
const maxGopFragments = 900;
const maxGopBytes = 16 * 1024 * 1024;

export class LiveStream {
  readonly #listener: LiveListener;
  #init: Init | null = null;
  #gop: Fragment[] = [];
  #gopBytes = 0;
  #watched = false;
  #newest: { readonly at: number; readonly wallMs: number } | null = null;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  get watched(): boolean {
    return this.#watched;
  }

  /** Somebody watches, or nobody does any more. The first to come hears what is there already. */
  setWatched(watched: boolean): void {
    if (watched === this.#watched) return;
    this.#watched = watched;
    if (watched) this.repeat();
  }

  /** Everything a viewer needs to begin, once more. */
  repeat(): void {
    if (!this.#watched || !this.#init) return;
    this.#listener.init(this.#init);
    for (const fragment of this.#gop) this.#listener.fragment(fragment);
  }

  /** Where viewers see what arrived at that time; null when there is nothing to see. */
  atWall(wallMs: number): number | null {
    if (!this.#newest) return null;
    return Math.max(0, this.#newest.at + (wallMs - this.#newest.wallMs) / 1000);
  }

  begin(init: Init): void {
    this.end();
    this.#init = init;
    if (this.#watched) this.#listener.init(init);
  }

  push(fragment: Fragment): void {
    this.#newest = fragment;
    if (fragment.key) this.#forget();
    const full = this.#gop.length >= maxGopFragments || this.#gopBytes > maxGopBytes;
    if (full) this.#forget();
    // Without its key frame the rest of a group of pictures serves nobody.
    if (fragment.key || this.#gop.length > 0) {
      this.#gop.push(fragment);
      this.#gopBytes += fragment.body.length;
    }
    if (this.#watched) this.#listener.fragment(fragment);
  }

  /** The stream is over; what comes next begins anew. */
  end(): void {
    this.#init = null;
    this.#newest = null;
    this.#forget();
  }

  #forget(): void {
    this.#gop = [];
    this.#gopBytes = 0;
  }
}
