/** What browsers do with media and jsdom does not: a test says when the buffer is done and what is in view. */
import { vi } from 'vitest';

/** Busy after each operation until a test ends that; writes down what was done to it. */
export class FakeSourceBuffer {
  readonly log: string[] = [];
  updating = false;
  /** So many appends meet a full buffer. */
  quotaFor = 0;
  ranges: [number, number][] = [[0, 10]];
  readonly #listeners = { updateend: [] as (() => void)[], error: [] as (() => void)[] };

  get buffered() {
    const at = (index: number): [number, number] => this.ranges[index] ?? [0, 0];
    return {
      length: this.ranges.length,
      start: (index: number) => at(index)[0],
      end: (index: number) => at(index)[1],
    };
  }

  appendBuffer(data: BufferSource): void {
    if (this.quotaFor > 0) {
      this.quotaFor -= 1;
      throw new DOMException('full', 'QuotaExceededError');
    }
    const bytes = new Uint8Array(data as ArrayBuffer);
    this.log.push(`append ${[...bytes].join(',')}`);
    this.updating = true;
  }

  remove(start: number, end: number): void {
    this.log.push(`remove ${start}-${end}`);
    this.updating = true;
  }

  changeType(mime: string): void {
    this.log.push(`type ${mime}`);
  }

  addEventListener(kind: 'updateend' | 'error', listener: () => void): void {
    this.#listeners[kind].push(listener);
  }

  finish(): void {
    this.updating = false;
    for (const listener of this.#listeners.updateend) listener();
  }

  fail(): void {
    for (const listener of this.#listeners.error) listener();
  }
}

export class FakeMediaSource extends EventTarget {
  static readonly made: FakeMediaSource[] = [];
  /** H.264 only, as Debian's Chromium. */
  static isTypeSupported(mime: string): boolean {
    return mime.includes('avc1');
  }

  duration = Number.NaN;
  mime = '';
  readonly buffer = new FakeSourceBuffer();

  constructor() {
    super();
    FakeMediaSource.made.push(this);
  }

  addSourceBuffer(mime: string): FakeSourceBuffer {
    this.mime = mime;
    this.buffer.ranges = [];
    return this.buffer;
  }

  open(): void {
    this.dispatchEvent(new Event('sourceopen'));
  }
}

type Watcher = (entries: readonly { intersectionRatio: number }[]) => void;

/** Everything is fully in view unless `scrollTo` says otherwise. */
class FakeIntersectionObserver {
  static readonly watchers = new Set<Watcher>();
  readonly #watcher: Watcher;
  constructor(watcher: Watcher) {
    this.#watcher = watcher;
  }
  observe(): void {
    FakeIntersectionObserver.watchers.add(this.#watcher);
    this.#watcher([{ intersectionRatio: 1 }]);
  }
  disconnect(): void {
    FakeIntersectionObserver.watchers.delete(this.#watcher);
  }
}

/** So much of everything that watches is now on the screen. */
export function showShare(intersectionRatio: number): void {
  for (const watcher of FakeIntersectionObserver.watchers) watcher([{ intersectionRatio }]);
}

type PictureCallback = (now: number, metadata: { mediaTime: number }) => void;
const pictureCallbacks = new Map<number, PictureCallback>();
let handles = 0;

/** The next picture of every video is shown. */
export function showPicture(mediaTime: number): void {
  const due = [...pictureCallbacks.values()];
  pictureCallbacks.clear();
  for (const callback of due) callback(performance.now(), { mediaTime });
}

export function showTab(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Call it in `beforeEach`. */
export function fakeMedia(): void {
  FakeMediaSource.made.length = 0;
  pictureCallbacks.clear();
  vi.stubGlobal('MediaSource', FakeMediaSource);
  vi.stubGlobal('IntersectionObserver', FakeIntersectionObserver);
  const video = HTMLMediaElement.prototype;
  vi.spyOn(video, 'play').mockResolvedValue();
  vi.spyOn(video, 'load').mockReturnValue();
  vi.spyOn(video, 'pause').mockReturnValue();
  Object.assign(HTMLVideoElement.prototype, {
    requestVideoFrameCallback(callback: PictureCallback): number {
      handles += 1;
      pictureCallbacks.set(handles, callback);
      return handles;
    },
    cancelVideoFrameCallback: (handle: number) => void pictureCallbacks.delete(handle),
  });
}
