/// <reference lib="dom" />
/**
 * A browser that Playwright brings no build of, driven by the W3C WebDriver commands that a journey needs.
 * Firefox takes them by Marionette, WebKitGTK by HTTP; the commands and what they mean are the same.
 */
import { writeFileSync } from 'node:fs';
import { until } from '../installation.ts';

export type CommandName =
  | 'DeleteSession'
  | 'ElementClick'
  | 'ElementSendKeys'
  | 'ExecuteScript'
  | 'Navigate'
  | 'SetWindowRect'
  | 'TakeElementScreenshot'
  | 'TakeScreenshot';

/** Carries a command to the browser; rejects with the browser's words when it refuses. */
export interface Transport extends AsyncDisposable {
  readonly browser: string;
  send(name: CommandName, parameters?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The key under which WebDriver sends a reference to an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const waitMs = 30_000;

/** Which element: the first visible one that matches and has the name that people and screen readers read. */
export interface Target {
  readonly css: string;
  readonly name?: string;
}

export class Browser implements AsyncDisposable {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Name and version, as the browser reports them. */
  get name(): string {
    return this.#transport.browser;
  }

  /** The outer size of the window, in pixels. */
  async resize(width: number, height: number): Promise<void> {
    await this.#transport.send('SetWindowRect', { width, height });
  }

  async goto(url: string): Promise<void> {
    await this.#transport.send('Navigate', { url });
  }

  /** Runs in the page, with arguments and a result that JSON can hold; a promise is waited for. */
  async evaluate<Given extends readonly unknown[], Result>(
    work: (...given: Given) => Result,
    ...given: Given
  ): Promise<Awaited<Result>> {
    const script = `return (${work.toString()}).apply(null, arguments)`;
    return (await this.#transport.send('ExecuteScript', {
      script,
      args: given,
    })) as Awaited<Result>;
  }

  /** Waits until the page has it. */
  async see(target: Target): Promise<void> {
    await this.#find(target);
  }

  async click(target: Target): Promise<void> {
    await this.#transport.send('ElementClick', { id: await this.#find(target) });
  }

  /** Types as a keyboard does; into a file input, the path of a file chooses it. */
  async type(target: Target, text: string): Promise<void> {
    await this.#transport.send('ElementSendKeys', { id: await this.#find(target), text });
  }

  /** Waits until the page answers so. */
  async expect<Given extends readonly unknown[], Result>(
    what: string,
    work: (...given: Given) => Result,
    isSo: (value: Awaited<Result>) => boolean,
    ...given: Given
  ): Promise<void> {
    await until(`${this.name}: ${what}`, () => this.evaluate(work, ...given), isSo, waitMs);
  }

  async screenshot(file: string): Promise<void> {
    const png = (await this.#transport.send('TakeScreenshot')) as string;
    writeFileSync(file, Buffer.from(png, 'base64'));
  }

  /** One element as it is painted: a PNG, the same for the same pixels. */
  async pixels(target: Target): Promise<Buffer> {
    const id = await this.#find(target);
    const png = (await this.#transport.send('TakeElementScreenshot', { id })) as string;
    return Buffer.from(png, 'base64');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport[Symbol.asyncDispose]();
  }

  async #find(target: Target): Promise<string> {
    const what = `${this.name}: ${target.css} ${target.name ?? ''}`;
    const ask = () => this.evaluate(elementIn, target.css, target.name ?? null);
    const found = await until(what, ask, (element) => element !== null, waitMs);
    return (found as unknown as Record<string, string>)[elementKey] ?? '';
  }
}

/** Runs in the page. */
function elementIn(css: string, name: string | null): Element | null {
  const found = [...document.querySelectorAll<HTMLElement>(css)].find((element) => {
    const read = element.ariaLabel ?? element.innerText ?? element.textContent;
    return name === null || read.trim() === name;
  });
  return found ?? null;
}
