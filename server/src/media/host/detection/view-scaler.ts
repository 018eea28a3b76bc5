/**
 * Crops, scales and converts parts of a decoded frame by FFmpeg: 0.4 ms for 256x144 of 1280x720. FFmpeg's scaler works
 * in another thread with one state, and a second call meanwhile crashes the process: calls are queued. It also keeps
 * what it computed for each size (up to 0.4 MiB each) for ever, and people and faces have all sizes: after some sizes
 * this class opens a new scaler.
 */
import { SWS_AREA } from 'node-av/constants';
import { Scaler } from 'node-av/api';
import type { Frame } from 'node-av/lib';
import type { Size, Rect } from '#lib/geometry.ts';

/** The tiles of a camera have a few sizes; those of regions with motion come and go. */
const maxSizes = 32;

export class ViewScaler implements AsyncDisposable {
  #scaler = open();
  readonly #sizes = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves with RGB. The frame must stay until then. */
  take(frame: Frame, crop: Rect, resize: Size): Promise<Buffer> {
    const taken = this.#last.then(() => {
      this.#renewFor(`${crop.width}x${crop.height} ${resize.width}x${resize.height}`);
      return this.#scaler.toBuffer(frame, { crop, resize, format: 'rgb' });
    });
    this.#last = taken.catch(() => undefined);
    return taken;
  }

  /** Parts that were asked for before are still delivered. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    this.#scaler.close();
  }

  #renewFor(size: string): void {
    if (!this.#sizes.has(size) && this.#sizes.size >= maxSizes) {
      this.#scaler.close();
      this.#scaler = open();
      this.#sizes.clear();
    }
    this.#sizes.add(size);
  }
}

/** Each pixel is the mean of the area it covers: faces that are shrunk to 18 pixels must not flicker. */
function open(): Scaler {
  return new Scaler({ flags: SWS_AREA });
}
