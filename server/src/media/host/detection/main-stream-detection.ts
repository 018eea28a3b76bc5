/**
 * The face that was found in a sub-stream, looked for again in the main stream's picture of the same moment: it has
 * more pixels there, and nobody decodes it all the time. One picture of a camera is decoded at once; whoever asks
 * for another moment meanwhile is refused and asks again with a newer one. Faces of one moment share its picture.
 */
import type { Frame } from 'node-av/lib';
import type { Rect } from '#lib/geometry.ts';
import type { CodedStream } from './coded-stream.ts';
import { pictureAt, reachOf } from './picture-at.ts';
import type { Veils } from '../../mask/camera-painters.ts';
import type { CloserLook, MediaCamera } from '../../protocol/messages.ts';
import type { Eyes, Looked } from './frame-analyzer.ts';
import { FrameView, uprightSize } from './frame-view.ts';
import { ViewScaler } from './view-scaler.ts';

export interface CloserLooksOptions {
  /** What is kept of the main stream now. */
  readonly coded: () => CodedStream | null;
  readonly rotation: MediaCamera['rotation'];
  readonly veils: Pick<Veils, 'recognition'>;
  readonly eyes: Pick<Eyes, 'look'>;
}

export interface FoundCloser extends Looked {
  readonly width: number;
  readonly height: number;
}

/** What it is looked for in reaches so many sides of its box beyond it: the streams are not of quite the same moment. */
const reach = 1.5;

interface Shared {
  readonly atMs: number;
  readonly frame: Promise<Frame | null>;
  users: number;
}

export class CloserLooks implements AsyncDisposable {
  readonly #options: CloserLooksOptions;
  readonly #scaler = new ViewScaler();
  #shared: Shared | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(options: CloserLooksOptions) {
    this.#options = options;
  }

  /** Null when it cannot be now: another moment is being decoded, or that moment is not there. */
  async look({ atMs, box }: Pick<CloserLook, 'atMs' | 'box'>): Promise<FoundCloser | null> {
    const shared = this.#ended ? null : this.#share(atMs);
    if (!shared) return null;
    shared.users += 1;
    const looked = shared.frame.then((frame) => frame && this.#lookAt(frame, box));
    this.#last = Promise.allSettled([this.#last, looked]);
    try {
      return await looked;
    } finally {
      shared.users -= 1;
      if (shared.users === 0) await this.#release(shared);
    }
  }

  #share(atMs: number): Shared | null {
    if (this.#shared) return this.#shared.atMs === atMs ? this.#shared : null;
    const wanted = reachOf(this.#options.coded(), atMs);
    if (!wanted) return null;
    this.#shared = { atMs, frame: pictureAt(wanted), users: 0 };
    return this.#shared;
  }

  async #lookAt(frame: Frame, box: Rect): Promise<FoundCloser> {
    const { rotation, veils, eyes } = this.#options;
    const size = uprightSize(frame, rotation);
    await using view = new FrameView(frame, {
      scaler: this.#scaler,
      rotation,
      painter: veils.recognition,
      regions: [around(box, size)],
      glimpse: false,
    });
    const { width, height } = view;
    return { ...(await eyes.look(view, {})), width, height };
  }

  async #release(shared: Shared): Promise<void> {
    if (this.#shared === shared) this.#shared = null;
    (await shared.frame.catch(() => null))?.free();
  }

  /** What was asked for is still answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#last;
    await this.#scaler[Symbol.asyncDispose]();
  }
}

/** In pixels of the view, with room; `box` in fractions of it. */
function around(box: Rect, view: { readonly width: number; readonly height: number }): Rect {
  const [width, height] = [box.width * view.width, box.height * view.height];
  const room = reach * Math.max(width, height);
  const left = Math.max(0, box.x * view.width - room);
  const top = Math.max(0, box.y * view.height - room);
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.min(view.width, box.x * view.width + width + room) - left),
    height: Math.max(1, Math.min(view.height, box.y * view.height + height + room) - top),
  };
}
