/**
 * Debian's mosquitto with a configuration and a folder of its own, on a free port of loopback, and a client that listens
 * there. Debian starts a broker of its own, which no test uses.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as dial, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectAsync, type MqttClient } from 'mqtt';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { until } from './until.ts';

const program = [
  '/usr/sbin/mosquitto',
  '/usr/local/sbin/mosquitto',
  '/opt/homebrew/sbin/mosquitto',
].find((path) => existsSync(path));
/** Why tests with a broker cannot run here; false: they can. */
export const withoutBroker =
  program === undefined && 'mosquitto is not installed (Debian: mosquitto)';

export const brokerLogin = { username: 'nazar', password: 'a-broker-password' };

export interface Message {
  readonly topic: string;
  readonly text: string;
  readonly isRetained: boolean;
}

export interface Listener extends AsyncDisposable {
  /** What came, the oldest first. */
  readonly messages: readonly Message[];
  /** The last text under a topic; undefined: none, or it was emptied. */
  last(topic: string): string | undefined;
  send(topic: string, text: string, retain?: boolean): Promise<void>;
}

export interface TestBroker extends AsyncDisposable {
  readonly url: string;
  /** Listens to all from now on, and gets what the broker keeps. */
  listen(): Promise<Listener>;
  /** What it keeps now, by topic. */
  kept(): Promise<Map<string, string>>;
  /** Ends it; what it keeps is on its disk. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface BrokerOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  server.close();
  await once(server, 'close');
  return port;
}

export async function testBroker({ tls }: BrokerOptions = {}): Promise<TestBroker> {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-broker-'));
  const port = await freePort();
  const passwords = join(folder, 'passwords');
  const { username, password } = brokerLogin;
  await promisify(execFile)('mosquitto_passwd', ['-b', '-c', passwords, username, password]);
  if (tls) {
    writeFileSync(join(folder, 'cert.pem'), tls.cert);
    writeFileSync(join(folder, 'key.pem'), tls.key);
  }
  const lines = [
    `listener ${port} 127.0.0.1`,
    ...(tls ? [`certfile ${folder}/cert.pem`, `keyfile ${folder}/key.pem`] : []),
    // As root it would become a user who may not read this folder.
    `user ${userInfo().username}`,
    'allow_anonymous false',
    `password_file ${passwords}`,
    'persistence true',
    `persistence_location ${folder}/`,
    'log_type none',
  ];
  const configuration = join(folder, 'mosquitto.conf');
  writeFileSync(configuration, `${lines.join('\n')}\n`);
  let child: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    if (!child) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    child = null;
  };
  const start = async (): Promise<void> => {
    child = spawn(program!, ['-c', configuration], { stdio: 'ignore' });
    await until(() => answers(port));
  };
  await start();
  const scheme = tls ? 'mqtts' : 'mqtt';
  const url = `${scheme}://127.0.0.1:${port}`;
  const listen = (): Promise<Listener> => listenTo(url, tls?.cert);
  return {
    url,
    listen,
    async kept() {
      await using listener = await listen();
      // The broker sends what it keeps before what is sent after it.
      const mark = `test/${crypto.randomUUID()}`;
      await listener.send(mark, 'mark');
      await until(() => listener.messages.some(({ topic }) => topic === mark));
      const kept = listener.messages.filter(({ isRetained }) => isRetained);
      return new Map(kept.map(({ topic, text }) => [topic, text]));
    },
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = dial(port, '127.0.0.1', () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

async function listenTo(url: string, ca: string | undefined): Promise<Listener> {
  const client: MqttClient = await connectAsync(url, {
    ...brokerLogin,
    protocolVersion: 5,
    reconnectPeriod: 0,
    ...(ca && { ca }),
  });
  client.on('error', () => undefined);
  const messages: Message[] = [];
  const last = new Map<string, string>();
  client.on('message', (topic, payload, { retain }) => {
    const text = payload.toString();
    messages.push({ topic, text, isRetained: retain });
    if (text === '') last.delete(topic);
    else last.set(topic, text);
  });
  await client.subscribeAsync('#', { qos: 1 });
  return {
    messages,
    last: (topic) => last.get(topic),
    send: async (topic, text, retain = false) => {
      await client.publishAsync(topic, text, { qos: 1, retain });
    },
    [Symbol.asyncDispose]: async () => {
      await client.endAsync(true);
    },
  };
}
