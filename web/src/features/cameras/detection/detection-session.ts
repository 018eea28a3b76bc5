/**
 * The drawn pictures of one camera for as long as they are wanted: opens the stream, watches over it and opens it
 * again. Knows nothing of React nor of `fetch`.
 */
import type { Clock } from '#parts/player/recorded/clock.ts';
import { signal } from '#lib/signal.ts';
import type { DetectionState, StreamEnd } from './detection-state.ts';
import { readStream } from './read-stream.ts';

/** The pause before a broken stream is opened again (ERR-012). */
export const retryMs = 5_000;
/** ERR-013: so long without a picture, at the start or later, and the stream is opened anew. */
export const patienceMs = 10_000;

const starting: DetectionState = { kind: 'starting' };
const running: DetectionState = { kind: 'running' };

export interface DetectionSessionOptions {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly clock: Clock;
}

export class DetectionSession implements Disposable {
  readonly state = signal<DetectionState>(starting);
  /** The newest picture, with the boxes in it. */
  readonly frame = signal<Blob | null>(null);

  readonly #options: DetectionSessionOptions;
  #connection: AbortController | null = null;
  #alarm: Disposable | null = null;

  constructor(options: DetectionSessionOptions) {
    this.#options = options;
    this.#connect();
  }

  [Symbol.dispose](): void {
    this.#disconnect();
    this.frame.set(null);
  }

  #connect(): void {
    const connection = new AbortController();
    this.#connection = connection;
    this.#awaitFrame();
    void this.#read(connection.signal);
  }

  /** What comes after the end of a connection is of no interest. */
  async #read(ended: AbortSignal): Promise<void> {
    const end = await readStream(
      () => this.#options.open(ended),
      (jpeg) => {
        if (!ended.aborted) this.#show(jpeg);
      },
    );
    if (!ended.aborted) this.#ended(end);
  }

  #disconnect(): void {
    this.#alarm?.[Symbol.dispose]();
    this.#connection?.abort();
    this.#connection = null;
  }

  #show(jpeg: Blob): void {
    this.#awaitFrame();
    this.frame.set(jpeg);
    this.state.set(running);
  }

  #awaitFrame(): void {
    this.#wait(patienceMs, () => {
      this.#disconnect();
      this.state.set({ kind: 'reconnecting', why: 'timedOut' });
      this.#connect();
    });
  }

  #ended(end: StreamEnd): void {
    this.#disconnect();
    this.state.set(end);
    if (end.kind === 'reconnecting') this.#wait(retryMs, () => this.#connect());
    else this.frame.set(null);
  }

  /** One at a time: either a picture is waited for or the time to try again. */
  #wait(ms: number, run: () => void): void {
    this.#alarm?.[Symbol.dispose]();
    this.#alarm = this.#options.clock.after(ms, run);
  }
}
