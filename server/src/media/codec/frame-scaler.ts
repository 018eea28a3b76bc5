/**
 * Scales and converts decoded frames by FFmpeg, whatever size and format they come in. node-av makes JPEGs by a filter
 * graph that it keeps for each size that comes out, while a graph is made for frames of one size and format: after a
 * camera changed its picture, each JPEG failed, or was the corner of a larger one. So another scaler is
 * opened then. One call at a time.
 */
import { SWS_FAST_BILINEAR } from 'node-av/constants';
import { Scaler } from 'node-av/api';
import type { Frame } from 'node-av/lib';

type ToBuffer = Parameters<Scaler['toBuffer']>[1];
type ToJpeg = Parameters<Scaler['toJpeg']>[1];

export class FrameScaler implements Disposable {
  #scaler = open();
  /** The frames that JPEGs are made of now. */
  #source = '';

  toBuffer(frame: Frame, options: ToBuffer): Promise<Buffer> {
    return this.#scaler.toBuffer(frame, options);
  }

  toJpeg(frame: Frame, options: ToJpeg): Promise<Buffer> {
    const { width, height, format, colorRange, colorSpace } = frame;
    const source = [width, height, format, colorRange, colorSpace].join(' ');
    if (source !== this.#source) this.#renew(source);
    return this.#scaler.toJpeg(frame, options);
  }

  close(): void {
    this.#scaler.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #renew(source: string): void {
    if (this.#source !== '') {
      this.#scaler.close();
      this.#scaler = open();
    }
    this.#source = source;
  }
}

const open = (): Scaler => new Scaler({ flags: SWS_FAST_BILINEAR });
