/**
 * Cuts, scales and converts parts of a decoded picture by FFmpeg: 0.4 ms for 256x144 of 1280x720. Its scaler
 * works in another thread with one state, so that a second question meanwhile crashes the process: questions
 * form a queue. And it keeps what it worked out for each size, which is more than it needs (up to 0.4 MiB
 * each) and never ends, as people and faces are of all sizes: after some it is begun anew.
 */
import { SWS_AREA } from 'node-av/constants';
import { Scaler } from 'node-av/api';
import type { Frame } from 'node-av/lib';
import type { Size, Rect } from '#lib/geometry.ts';

/** Tiles of a camera are of a few sizes; those of what moves in it come and go. */
const maxSizes = 32;

export class ViewScaler implements AsyncDisposable {
  #scaler = open();
  readonly #sizes = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  /** RGB. The frame must stay until it has come. */
  take(frame: Frame, crop: Rect, resize: Size): Promise<Buffer> {
    const taken = this.#last.then(() => {
      this.#renewFor(`${crop.width}x${crop.height} ${resize.width}x${resize.height}`);
      return this.#scaler.toBuffer(frame, { crop, resize, format: 'rgb' });
    });
    this.#last = taken.catch(() => undefined);
    return taken;
  }

  /** What was asked for is still given. */
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

/** Pixels are means of what they cover: faces that are shrunk to 18 pixels must not flicker. */
function open(): Scaler {
  return new Scaler({ flags: SWS_AREA });
}
