/** A distribution's WebKitGTK: its MiniBrowser on a virtual screen, driven by WebKitWebDriver over HTTP. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '../installation.ts';
import { end } from './end.ts';
import { Browser, type CommandName, type Transport } from './webdriver.ts';

const startMs = 15_000;

/** Method and path below the session; `{id}` is the element's. */
const calls: Readonly<Record<CommandName, readonly [string, string]>> = {
  DeleteSession: ['DELETE', ''],
  ElementClick: ['POST', '/element/{id}/click'],
  ElementSendKeys: ['POST', '/element/{id}/value'],
  ExecuteScript: ['POST', '/execute/sync'],
  Navigate: ['POST', '/url'],
  SetWindowRect: ['POST', '/window/rect'],
  TakeElementScreenshot: ['GET', '/element/{id}/screenshot'],
  TakeScreenshot: ['GET', '/screenshot'],
};

export interface WebKitPrograms {
  readonly driver: string;
  readonly miniBrowser: string;
  readonly screen: string;
}

export async function startWebKit(programs: WebKitPrograms): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'nazar-webkit-'));
  const screen = spawn(
    programs.screen,
    ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const display = await new Promise<string>((resolve, reject) => {
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    screen.stdio[3]!.once('data', (chunk: Buffer) => resolve(`:${chunk.toString().trim()}`));
  });
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      GDK_BACKEND: 'x11',
    },
  });
  const transport = new Http(`http://127.0.0.1:${port}`, [driver, screen], home);
  try {
    await transport.begin(programs.miniBrowser);
    return new Browser(transport);
  } catch (error) {
    await end([driver, screen], home);
    throw error;
  }
}

class Http implements Transport {
  browser = 'WebKitGTK';
  readonly #origin: string;
  readonly #children: readonly ChildProcess[];
  readonly #home: string;
  #session = '';

  constructor(origin: string, children: readonly ChildProcess[], home: string) {
    this.#origin = origin;
    this.#children = children;
    this.#home = home;
  }

  async begin(binary: string): Promise<void> {
    const status = () => this.#call('GET', '/status');
    await until('WebKitWebDriver answers', status, () => true, startMs);
    const options = { binary, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const created = (await this.#call('POST', '/session', { capabilities })) as {
      sessionId: string;
      capabilities: { browserName: string; browserVersion: string };
    };
    this.#session = `/session/${created.sessionId}`;
    this.browser = `${created.capabilities.browserName} ${created.capabilities.browserVersion}`;
  }

  send(name: CommandName, parameters: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const [method, path] = calls[name];
    const { id, ...body } = parameters;
    return this.#call(method, this.#session + path.replace('{id}', String(id)), body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.send('DeleteSession').catch(() => undefined);
    await end(this.#children, this.#home);
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(this.#origin + path, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await reply.json()) as { value: unknown };
    if (!reply.ok) throw new Error((value as { message: string }).message);
    return value;
  }
}
