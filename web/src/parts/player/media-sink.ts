/** Media into a video element: opens the MediaSource, feeds it, keeps the picture at the live edge. */
import { AppendQueue } from './append-queue.ts';
import { LiveEdge } from './live-edge.ts';

/** iPhones have only the managed kind, which has the same face. */
type SourceKind = typeof MediaSource;

function sourceKind(): SourceKind | null {
  const { MediaSource: plain, ManagedMediaSource: managed } = globalThis as typeof globalThis & {
    MediaSource?: SourceKind;
    ManagedMediaSource?: SourceKind;
  };
  return plain ?? managed ?? null;
}

/** A gap that short is not visible in pictures, but audible in sound. */
const LEAST_FOR_SOUND_S = 0.1;

export const hasMediaSource = (): boolean => sourceKind() !== null;

export const isPlayable = (mime: string): boolean => sourceKind()?.isTypeSupported(mime) ?? false;

/** Whether a fragment is a picture that stands alone. Given by those who need it: others need not load it. */
export type KeyTest = (fragment: Uint8Array) => boolean;

/** `onBroken`: what follows cannot be shown by this sink; a new connection begins with a new one. */
export class MediaSink implements Disposable {
  readonly #video: HTMLVideoElement;
  readonly #onBroken: (cause: unknown) => void;
  readonly #url: string;
  readonly #edge: LiveEdge;
  readonly #end = new AbortController();
  #mime: string;
  #queue: AppendQueue | null = null;
  #buffer: SourceBuffer | null = null;
  /** Key frames alone are shown; null: everything is. */
  #isKey: KeyTest | null = null;
  /** Key frames alone were shown until now: what follows the next one can be shown again. */
  #awaitsKey: KeyTest | null = null;
  /** What came before the MediaSource was open. */
  #early: Uint8Array[] = [];

  constructor(video: HTMLVideoElement, mime: string, onBroken: (cause: unknown) => void) {
    const Source = sourceKind();
    if (Source === null) throw new Error('this browser has no MediaSource');
    this.#video = video;
    this.#mime = mime;
    this.#edge = new LiveEdge(mime.startsWith('audio/') ? LEAST_FOR_SOUND_S : undefined);
    this.#onBroken = onBroken;
    const source = new Source();
    const { signal } = this.#end;
    source.addEventListener('sourceopen', () => this.#open(source), { once: true, signal });
    // Want of data is no reason to give up, but to keep a greater distance. The first wait is the start.
    video.addEventListener('waiting', () => this.#stalled(), { signal });
    // Asked for by the managed kind: it plays only where nothing is cast to another screen.
    video.disableRemotePlayback = true;
    this.#url = URL.createObjectURL(source);
    video.src = this.#url;
  }

  /** Returns whether it is to be shown. */
  append(data: Uint8Array): boolean {
    const isKey = this.#isKey ?? this.#awaitsKey;
    if (isKey !== null && !isKey(data)) return false;
    this.#awaitsKey = null;
    if (this.#queue === null) this.#early.push(data);
    else this.#queue.append(data);
    return true;
  }

  /** Only pictures that stand alone are decoded, each shown as it comes, for a device that can't keep up. */
  showKeysOnly(isKey: KeyTest | null): void {
    if (isKey === this.#isKey) return;
    this.#awaitsKey = this.#isKey;
    this.#isKey = isKey;
    if (isKey === null) this.#video.play().catch(() => undefined);
    else this.#video.pause();
  }

  /** How far what is shown is behind the newest that was received; null: nothing was. */
  get delayS(): number | null {
    const buffered = this.#buffer?.buffered;
    const last = (buffered?.length ?? 0) - 1;
    return buffered === undefined || last < 0
      ? null
      : Math.max(0, buffered.end(last) - this.#video.currentTime);
  }

  /** Another stream follows on the same connection. */
  restart(mime: string): void {
    this.#early = [];
    this.#mime = mime;
    this.#queue?.restart(mime);
  }

  /** The element keeps its last picture; `detach` takes that away too. */
  [Symbol.dispose](): void {
    this.#end.abort();
    this.#queue?.close();
    URL.revokeObjectURL(this.#url);
  }

  #open(source: MediaSource): void {
    try {
      source.duration = Infinity;
      this.#buffer = source.addSourceBuffer(this.#mime);
    } catch (cause) {
      this.#onBroken(cause);
      return;
    }
    this.#queue = new AppendQueue(this.#buffer, {
      currentTime: () => this.#video.currentTime,
      onAppended: () => this.#steer(),
      onBroken: this.#onBroken,
    });
    for (const data of this.#early.splice(0)) this.#queue.append(data);
    // Muted pictures may always play; where a browser refuses all the same, no picture comes and the
    // patience of the player ends.
    if (this.#isKey === null) this.#video.play().catch(() => undefined);
  }

  #stalled(): void {
    if (this.#video.currentTime > 0) this.#edge.stalled(performance.now());
  }

  #steer(): void {
    const buffered = this.#buffer?.buffered;
    const last = (buffered?.length ?? 0) - 1;
    if (buffered === undefined || last < 0) return;
    const video = this.#video;
    if (this.#isKey !== null) {
      // Between key frames the buffer has holes: it is shown by going to it.
      video.currentTime = buffered.start(last);
      this.#trim(buffered.start(0), buffered.end(last));
      return;
    }
    const position = {
      start: buffered.start(last),
      end: buffered.end(last),
      current: video.currentTime,
    };
    const { seekTo, playbackRate } = this.#edge.steer(position, performance.now());
    if (seekTo !== null) video.currentTime = seekTo;
    if (video.playbackRate !== playbackRate) video.playbackRate = playbackRate;
    this.#trim(buffered.start(0), position.end);
  }

  #trim(start: number, end: number): void {
    const before = this.#edge.trimBefore({ start, end });
    if (before !== null) this.#queue?.removeBefore(before);
  }
}

/** Gives back the element's memory and its last picture. */
export function detach(video: HTMLVideoElement): void {
  video.removeAttribute('src');
  video.load();
}
