/**
 * JPEGs one after another as `multipart/x-mixed-replace`. A slow reader gets the newest picture
 * when it is ready for one, never a queue; a reader that reads nothing for 30 s is disconnected.
 */
import { Readable } from 'node:stream';
import type { Clock } from '#lib/clock.ts';

const boundary = 'frame';
const stalledMs = 30_000;
/** A browser shows a part when the next boundary has come: it comes with the part. */
const opening = Buffer.from(`--${boundary}\r\n`);
const closing = Buffer.from(`\r\n--${boundary}\r\n`);
/** The close delimiter of RFC 2046: it shows the reader that nothing broke and no more is to come. */
const lastWord = Buffer.from(`--${boundary}--\r\n`);

export class PictureStream extends Readable {
  readonly #clock: Clock;
  #newest: Buffer | null = null;
  #isAsked = false;
  #askedAtMs: number;

  constructor(clock: Clock) {
    // One picture at a time: the next is asked for when this one is on its way.
    super({ highWaterMark: 1 });
    this.#clock = clock;
    this.#askedAtMs = clock.monotonicMs();
    this.push(opening);
  }

  offer(jpeg: Buffer): void {
    this.#newest = jpeg;
    if (this.#isAsked) this.#give();
    else if (this.#clock.monotonicMs() - this.#askedAtMs >= stalledMs) this.destroy();
  }

  /** The picture that waits for a slow reader hides too little by now. */
  forget(): void {
    this.#newest = null;
  }

  /** It was stopped for everyone: the reader does not request it again. */
  close(): void {
    if (!this.destroyed) this.push(lastWord);
    this.finish();
  }

  /** Nothing more comes just now. */
  finish(): void {
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    this.#isAsked = true;
    this.#askedAtMs = this.#clock.monotonicMs();
    this.#give();
  }

  #give(): void {
    if (this.#newest === null || this.destroyed) return;
    const head = Buffer.from(
      `Content-Type: image/jpeg\r\nContent-Length: ${this.#newest.length}\r\n\r\n`,
    );
    const part = Buffer.concat([head, this.#newest, closing]);
    this.#newest = null;
    this.#isAsked = false;
    this.push(part);
  }
}
