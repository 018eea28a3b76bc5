/**
 * Detects a face that was found in a sub-stream again in the main stream's picture of the same moment: it has more
 * pixels there, and the main stream need not be decoded all the time. One picture of a camera is decoded at a time; a
 * request for another moment meanwhile is refused, and the server asks again with a newer one. Faces of one moment
 * share its picture.
 */
import type { Frame } from 'node-av/lib';
import type { Rect } from '#lib/geometry.ts';
import type { CodedStream } from './coded-stream.ts';
import { pictureAt, reachOf } from './picture-at.ts';
import type { CameraPainters } from '../../mask/camera-painters.ts';
import type { MainStreamRequest, MediaCamera, PaintedFrame } from '../../protocol/messages.ts';
import type { DetectionClient, DetectedFaces } from './frame-analyzer.ts';
import { FrameView, uprightSize } from './frame-view.ts';
import type { StageMeter } from '../stage-meter.ts';
import { ViewScaler } from './view-scaler.ts';

export interface MainStreamDetectionOptions {
  /** What is kept of the main stream now. */
  readonly coded: () => CodedStream | null;
  readonly rotation: MediaCamera['rotation'];
  readonly painters: Pick<CameraPainters, 'recognition' | 'painted'>;
  readonly client: Pick<DetectionClient, 'detect'>;
  readonly meter: StageMeter;
}

export interface FoundInMainStream extends DetectedFaces {
  readonly width: number;
  readonly height: number;
  readonly painted: PaintedFrame;
}

/** The region reaches so many sides of the box beyond it: the two streams are not of quite the same moment. */
const reach = 1.5;

interface Shared {
  readonly atMs: number;
  readonly frame: Promise<Frame | null>;
  users: number;
}

export class MainStreamDetection implements AsyncDisposable {
  readonly #options: MainStreamDetectionOptions;
  readonly #scaler = new ViewScaler();
  #shared: Shared | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(options: MainStreamDetectionOptions) {
    this.#options = options;
  }

  /** Null when another moment is being decoded, or there is no picture of that moment. */
  async detect({
    atMs,
    box,
  }: Pick<MainStreamRequest, 'atMs' | 'box'>): Promise<FoundInMainStream | null> {
    const shared = this.#ended ? null : this.#share(atMs);
    if (!shared) return null;
    shared.users += 1;
    const detected = shared.frame.then((frame) => frame && this.#detectAt(frame, box));
    this.#last = Promise.allSettled([this.#last, detected]);
    try {
      return await detected;
    } finally {
      shared.users -= 1;
      if (shared.users === 0) await this.#release(shared);
    }
  }

  #share(atMs: number): Shared | null {
    if (this.#shared) return this.#shared.atMs === atMs ? this.#shared : null;
    const wanted = reachOf(this.#options.coded(), atMs);
    if (!wanted) return null;
    const { meter } = this.#options;
    const frame = meter.time('decode', () => pictureAt(wanted));
    this.#shared = { atMs, frame, users: 0 };
    return this.#shared;
  }

  async #detectAt(frame: Frame, box: Rect): Promise<FoundInMainStream> {
    const { rotation, painters, client, meter } = this.#options;
    const size = uprightSize(frame, rotation);
    const { recognition: painter, painted } = painters;
    await using view = new FrameView(frame, {
      scaler: this.#scaler,
      rotation,
      painter,
      regions: [around(box, size)],
      quickScan: false,
    });
    const { width, height } = view;
    const detected = await client.detect(view, null);
    meter.add('detect', detected.costMs);
    return { ...detected, width, height, painted };
  }

  async #release(shared: Shared): Promise<void> {
    if (this.#shared === shared) this.#shared = null;
    (await shared.frame.catch(() => null))?.free();
  }

  /** Requests made before are still answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#last;
    await this.#scaler[Symbol.asyncDispose]();
  }
}

/** The region around a box in pixels of the view; `box` is in fractions of it. */
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
