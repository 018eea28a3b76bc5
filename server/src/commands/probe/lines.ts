/**
 * Lines that a user types at a prompt, or that another program writes. The terminal is in raw mode from the first
 * prompt to the last, so that it never shows by itself what is typed a moment too early: a password among it.
 */
import { createInterface, type Interface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { Refusal } from '#lib/refusal.ts';

export interface Asked {
  readonly input: Readable;
  readonly output: Writable;
  /** Whether a person sits there. */
  readonly isTerminal: boolean;
  /** Called when they press Ctrl-C at a prompt. */
  readonly interrupted: () => void;
  readonly signal: AbortSignal;
}

export class Lines implements Disposable {
  readonly #asked: Asked;
  /** Lines that came before they were asked for. */
  readonly #typed: string[] = [];
  #waiting: PromiseWithResolvers<string> | null = null;
  #interface: Interface | null = null;
  #isShown = false;
  #isClosed = false;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** The next line; empty when a program wrote no more. Throws a Refusal when a person ended without typing one. */
  async next(prompt: string, { isShown = true } = {}): Promise<string> {
    const { isTerminal, output, signal } = this.#asked;
    const lines = (this.#interface ??= this.#open());
    const early = this.#typed.shift();
    if (early !== undefined) return early;
    if (this.#isClosed) return '';
    signal.throwIfAborted();
    const waiting = Promise.withResolvers<string>();
    this.#waiting = waiting;
    if (isTerminal) {
      this.#isShown = isShown;
      lines.setPrompt(isShown ? prompt : '');
      if (isShown) lines.prompt();
      else output.write(prompt);
    }
    const line = await waiting.promise;
    if (isTerminal && !isShown) output.write('\n');
    return line;
  }

  #open(): Interface {
    const { input, output, isTerminal: terminal, interrupted } = this.#asked;
    // Readline echoes what is typed to its output.
    const echo = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#isShown) output.write(chunk);
        done();
      },
    });
    const lines = createInterface({ input, output: echo, terminal, historySize: 0 });
    lines.on('line', (line) => {
      this.#isShown = false;
      if (this.#waiting) this.#waiting.resolve(line);
      else this.#typed.push(line);
      this.#waiting = null;
    });
    lines.once('SIGINT', interrupted);
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      this.#isClosed = true;
      if (terminal) this.#waiting?.reject(new Refusal('Nothing was typed.'));
      else this.#waiting?.resolve('');
      this.#waiting = null;
    });
    return lines;
  }

  [Symbol.dispose](): void {
    this.#interface?.close();
    this.#asked.input.destroy();
  }
}
