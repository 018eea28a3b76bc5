/** Who is in the picture, asked each second while the stream with the boxes runs. */
import type { FaceBox } from '@nazar/contract/live.ts';
import type { Clock } from '#parts/player/recorded/clock.ts';
import { signal } from '#lib/signal.ts';

export const pollMs = 1_000;

const none: readonly FaceBox[] = [];

export interface FacesPollOptions {
  readonly ask: (signal: AbortSignal) => Promise<readonly FaceBox[]>;
  readonly clock: Clock;
}

export class FacesPoll implements Disposable {
  /** Another list with each answer, so that who listens knows that it was asked again. */
  readonly faces = signal<readonly FaceBox[]>(none);

  readonly #options: FacesPollOptions;
  readonly #end = new AbortController();
  #alarm: Disposable | null = null;

  constructor(options: FacesPollOptions) {
    this.#options = options;
    void this.#ask();
  }

  [Symbol.dispose](): void {
    this.#end.abort();
    this.#alarm?.[Symbol.dispose]();
    this.faces.set(none);
  }

  /** A second after the answer, not after the question: a slow server is asked less often. */
  async #ask(): Promise<void> {
    const { signal: ended } = this.#end;
    // Without an answer it is not known who is there, and an old one would not be true.
    const faces = await this.#options.ask(ended).catch(() => none);
    if (ended.aborted) return;
    this.faces.set(faces);
    this.#alarm = this.#options.clock.after(pollMs, () => void this.#ask());
  }
}
