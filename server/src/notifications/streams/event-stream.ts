/**
 * Server-sent events of one reader, as browsers and programs read `text/event-stream`. A reader that takes nothing is
 * closed before it costs memory: it comes back with the id that it had last.
 */
import { Readable } from 'node:stream';

export interface StreamEvent {
  readonly event: string;
  /** With what a reader that comes back says where it was; absent: this event is no such place. */
  readonly id?: string;
  readonly data: object;
}

const maxWaitingBytes = 256 * 1024;
const comment = ':\n\n';

export class EventStream extends Readable {
  #hadWaiting = false;
  #isOver = false;

  constructor() {
    super();
    // Without a first byte a reader would not know yet that it is connected.
    this.push(comment);
  }

  send({ event, id, data }: StreamEvent): void {
    const named = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`${named}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  /** A reader for whom something waits from one call to the next is closed. */
  keepAlive(): void {
    const hasWaiting = this.readableLength > 0;
    if (hasWaiting && this.#hadWaiting) return void this.destroy();
    this.#hadWaiting = hasWaiting;
    if (!hasWaiting) this.#write(comment);
  }

  /** Nothing more comes just now. */
  finish(): void {
    this.#isOver = true;
    if (!this.destroyed) this.push(null);
  }

  /** Events come by themselves. */
  override _read(): void {}

  #write(text: string): void {
    if (this.destroyed || this.#isOver) return;
    if (this.readableLength > maxWaitingBytes) return void this.destroy();
    this.push(text);
  }
}
