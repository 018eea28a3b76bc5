/**
 * Which pictures are looked at: a few a second, the newest only, where something moves. A picture that comes
 * while the last one is still being looked at is dropped, never queued. When nothing moves, one a second.
 */
import type { Frame } from 'node-av/lib';
import type { Scaler } from 'node-av/api';
import type { Clock } from '#lib/clock.ts';
import { openScaler } from './decoder.ts';
import type { MediaCamera, Rect, Seen } from './messages.ts';
import { MotionDetector, type Motion } from './motion.ts';
import { rotated } from './rotate.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 3 bytes a pixel. */
  readonly rgb: Buffer;
  /** Where something moved; empty means look everywhere. */
  readonly regions: readonly Rect[];
  /** Large areas from afar only: small faces are looked for in the pictures between. */
  readonly glimpse: boolean;
}

export interface Looked {
  readonly reply: { readonly faces: readonly unknown[] };
  readonly chips: Buffer;
}

/** Those who look at pictures: the client of the vision hosts. */
export interface Eyes extends AsyncDisposable {
  look(picture: Picture): Promise<Looked>;
}

export interface WatcherOptions {
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly eyes: Eyes;
  readonly seen: (seen: Seen<unknown>, chips: Buffer) => void;
  readonly failed: (error: unknown) => void;
}

const maxWidth = 1280;
const maxHeight = 720;
const motionWidth = 320;
const stillEveryMs = 1_000;
/**
 * One look in three is thorough while things move. A face of 28 px between the eyes in a 720p picture is found
 * from afar too; smaller ones are searched 1.7 times a second, square by square, which costs three times as
 * much. For one 720p30 camera whose whole picture moves it took the vision host from 20.1 to 14.9 % of a core.
 */
const thoroughEvery = 3;

export class EyesOnCamera implements Disposable {
  readonly #options: WatcherOptions;
  readonly #scaler: Scaler = openScaler();
  #motion: { readonly detector: MotionDetector; readonly key: string } | null = null;
  #comparedAtMs = -Infinity;
  #lookedAtMs = -Infinity;
  #busy = false;
  #looks = 0;
  /** A cut in a picture that nobody looked at still ends what was tracked. */
  #cut = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  /** Resolves when the picture is no longer needed; the look itself goes on by itself. */
  async offer(frame: Frame, at: number, wallMs: number): Promise<void> {
    const nowMs = this.#options.clock.monotonicMs();
    // Half a picture early is on time: otherwise 5 a second of 25 become 4.2.
    const everyMs = 1000 / this.#options.camera.analysisFps;
    if (this.#busy || nowMs - this.#comparedAtMs < everyMs - 15) return;
    this.#comparedAtMs = nowMs;
    const { regions, cut } = await this.#compare(frame);
    this.#cut ||= cut;
    const still = regions.length === 0 && !cut;
    if (still && nowMs - this.#lookedAtMs < stillEveryMs) return;
    this.#lookedAtMs = nowMs;
    // The first look at a new scene is a thorough one, and so is every look at a still one.
    this.#looks = cut || still ? 0 : this.#looks + 1;
    const glimpse = this.#looks % thoroughEvery !== 0;
    const picture = await this.#take(frame, regions, glimpse);
    void this.#look(picture, at, wallMs);
  }

  async #compare(frame: Frame): Promise<Motion> {
    const { width, height } = fit(frame, motionWidth, motionWidth);
    const data = await this.#scaler.toBuffer(frame, { resize: { width, height }, format: 'gray' });
    const grey = rotated({ width, height, data }, this.#options.camera.rotation, 1);
    const key = `${grey.width}x${grey.height}`;
    if (this.#motion?.key !== key) {
      this.#motion = { key, detector: new MotionDetector(grey.width, grey.height) };
    }
    const motion = this.#motion.detector.push(grey.data);
    const scale = fit(frame, maxWidth, maxHeight).width / width;
    return { cut: motion.cut, regions: motion.regions.map((region) => scaled(region, scale)) };
  }

  async #take(frame: Frame, regions: readonly Rect[], glimpse: boolean): Promise<Picture> {
    const resize = fit(frame, maxWidth, maxHeight);
    const data = await this.#scaler.toBuffer(frame, { resize, format: 'rgb' });
    const upright = rotated({ ...resize, data }, this.#options.camera.rotation, 3);
    const { width, height } = upright;
    return {
      width,
      height,
      rgb: upright.data,
      regions: regions.map((r) => within(r, width, height)),
      glimpse,
    };
  }

  async #look(picture: Picture, at: number, wallMs: number): Promise<void> {
    const { camera, eyes, seen, failed } = this.#options;
    const { width, height } = picture;
    const cut = this.#cut;
    this.#busy = true;
    this.#cut = false;
    try {
      const { reply, chips } = await eyes.look(picture);
      const { faces } = reply;
      seen({ cameraId: camera.id, at, wallMs, width, height, cut, faces }, chips);
    } catch (error) {
      this.#cut ||= cut;
      failed(error);
    } finally {
      this.#busy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#scaler.close();
  }
}

/** The largest even size within those bounds, never larger than the picture. */
export function fit(
  { width, height }: { readonly width: number; readonly height: number },
  toWidth: number,
  toHeight: number,
): { width: number; height: number } {
  const scale = Math.min(1, toWidth / width, toHeight / height);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}

function scaled({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}

/** Whole pixels inside the picture. */
function within({ x, y, width, height }: Rect, maxX: number, maxY: number): Rect {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(maxX, Math.ceil(x + width));
  const bottom = Math.min(maxY, Math.ceil(y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}
