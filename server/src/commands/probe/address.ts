/**
 * The address of a camera as somebody types it for `npm run probe`: as a word of the command, at a prompt, or on
 * standard input. A password is asked for without showing it.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable, type Readable } from 'node:stream';
import { splitAddress } from '#cameras/address.ts';
import { Refusal } from '#lib/refusal.ts';
import type { Reachable } from '#media/protocol/messages.ts';

export interface Asked {
  readonly input: Readable;
  readonly output: Writable;
  /** Whether a person sits there. */
  readonly isTerminal: boolean;
  /** Called when they press Ctrl-C at a prompt. */
  readonly interrupted: () => void;
  readonly signal: AbortSignal;
}

/** `word`: the address in the command, if there was one. Throws camera_url_refused; a Refusal when nothing is typed. */
export async function askCamera(
  word: string | undefined,
  asked: Asked,
): Promise<Omit<Reachable, 'certificate'>> {
  await using lines = new Lines(asked);
  const typed = (word ?? (await lines.next('Address of the camera: '))).trim();
  if (typed === '') throw new Refusal('There is no address.');
  const type = typed.startsWith('/dev/') ? 'usb' : 'ip';
  const { url, ...account } = splitAddress(typed, type);
  const asksUser = word === undefined && asked.isTerminal && type !== 'usb';
  const username =
    account.username ?? (asksUser ? await lines.next('User name (Enter: none): ') : '');
  const password =
    account.password ?? (username === '' ? '' : await lines.next('Password: ', { isShown: false }));
  return { type, url, username, password };
}

/** Questions at a terminal, or lines of a file or another program. */
class Lines implements AsyncDisposable {
  readonly #asked: Asked;
  #piped: AsyncIterator<string> | null = null;
  #interface: Interface | null = null;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  async next(prompt: string, { isShown = true } = {}): Promise<string> {
    if (this.#asked.isTerminal) return await this.#atTerminal(prompt, isShown);
    this.#interface ??= createInterface({ input: this.#asked.input, terminal: false });
    this.#piped ??= this.#interface[Symbol.asyncIterator]();
    const line = await this.#piped.next();
    return line.done === true ? '' : line.value;
  }

  async #atTerminal(prompt: string, isShown: boolean): Promise<string> {
    const { input, output, interrupted, signal } = this.#asked;
    // Readline echoes what is typed to its output.
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    if (!isShown) output.write(prompt);
    const lines = createInterface({
      input,
      output: isShown ? output : nowhere,
      terminal: true,
      historySize: 0,
    });
    const closed = Promise.withResolvers<never>();
    lines.once('close', () => closed.reject(new Refusal('Nothing was typed.')));
    lines.once('SIGINT', interrupted);
    try {
      const answer = lines.question(isShown ? prompt : '', { signal });
      return await Promise.race([answer, closed.promise]);
    } finally {
      closed.promise.catch(() => undefined);
      lines.close();
      if (!isShown) output.write('\n');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#interface?.close();
    await this.#piped?.return?.();
    this.#asked.input.destroy();
  }
}
