/**
 * A distribution's Firefox, by Marionette: WebDriver commands as JSON over TCP, what geckodriver (of which
 * Debian has no package) translates HTTP into.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../installation.ts';
import { end } from './end.ts';
import { Browser, type CommandName, type Transport } from './webdriver.ts';

const startMs = 30_000;

/** Further preferences by name, as in about:config. */
export type Preferences = Readonly<Record<string, string | number | boolean>>;

/** Firefox talks to its makers on its own account; a proxy that nothing listens at stops all but loopback. */
const silent: Preferences = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.trr.mode': 5,
  'intl.accept_languages': 'en-US',
  'marionette.port': 0,
};

export async function startFirefox(program: string, more: Preferences = {}): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'nazar-firefox-'));
  const lines = Object.entries({ ...silent, ...more }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const words = ['--headless', '--marionette', '--no-remote', '--profile', profile];
  const child = spawn(program, words, {
    stdio: 'ignore',
    env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  try {
    const portFile = join(profile, 'MarionetteActivePort');
    const readPort = () => (existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0);
    const port = await until('Firefox listens', readPort, (value) => value > 0, startMs);
    const transport = new Marionette(child, profile, connect(port, '127.0.0.1'));
    await transport.begin();
    return new Browser(transport);
  } catch (error) {
    await end([child], profile);
    throw error;
  }
}

/** Frames are `length:json`, requests `[0, id, name, parameters]`, answers `[1, id, error, result]`. */
class Marionette implements Transport {
  browser = 'Firefox';
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #received = Buffer.alloc(0);
  #lastId = 0;

  constructor(child: ChildProcess, profile: string, socket: Socket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('Firefox closed the connection')));
  }

  async begin(): Promise<void> {
    const session = await this.#command('WebDriver:NewSession', {});
    const { capabilities } = session as {
      capabilities: { browserName: string; browserVersion: string };
    };
    this.browser = `${capabilities.browserName} ${capabilities.browserVersion}`;
  }

  async send(
    name: CommandName,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    // Marionette has one command for a window and for an element, and takes the whole page unless asked otherwise.
    const result = name.endsWith('Screenshot')
      ? await this.#command('WebDriver:TakeScreenshot', { ...parameters, full: false })
      : await this.#command(`WebDriver:${name}`, parameters);
    return (result as { value?: unknown } | null)?.value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#command('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => undefined);
    this.#socket.destroy();
    await end([this.#child], this.#profile);
  }

  #command(name: string, parameters: object): Promise<unknown> {
    if (this.#socket.destroyed) return Promise.reject(new Error('Firefox has ended'));
    const id = (this.#lastId += 1);
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const json = Buffer.from(JSON.stringify([0, id, name, parameters]));
    this.#socket.write(Buffer.concat([Buffer.from(`${json.length}:`), json]));
    return answer.promise;
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      const end = colon + 1 + Number(this.#received.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || this.#received.length < end) return;
      this.#hear(JSON.parse(this.#received.subarray(colon + 1, end).toString()));
      this.#received = this.#received.subarray(end);
    }
  }

  /** The first message says who speaks and is no array. */
  #hear(message: unknown): void {
    if (!Array.isArray(message)) return;
    const [, id, error, result] = message as [number, number, { message: string } | null, unknown];
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }

  #end(error: Error): void {
    for (const answer of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
  }
}
