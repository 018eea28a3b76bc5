/**
 * A whole installation as `npm start` runs it: launcher, server, PostgreSQL and hosts in a data folder of
 * its own, on a free port. What is left running when it is over is an error.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Installation {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** What it has printed so far. */
  readonly printed: () => string;
  readonly folder: string;
  /** The process id of the launcher. */
  readonly pid: number;
  /** The process id of the server, another one when it was started again. */
  readonly serverPid: () => number;
  /** Ends it as Ctrl-C does; its exit code. */
  stop(): Promise<number | null>;
  /**
   * `kill -9` of the server and of the launcher, which would start it again. PostgreSQL and hosts wait for the
   * next server. Linux.
   */
  kill(): Promise<void>;
}

/** Numbers of the processes that have this text among their arguments; null where none can be had (not Linux). */
export function processesNaming(text: string): number[] | null {
  if (process.platform !== 'linux') return null;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandOf(pid).includes(text));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The server: the launcher's only child. */
function serverOf(launcherPid: number): number {
  const children = readFileSync(`/proc/${launcherPid}/task/${launcherPid}/children`, 'utf8');
  const [pid = 0] = children.trim().split(' ').map(Number);
  assert.ok(pid > 0 && commandOf(pid).includes('main.ts'), 'the launcher has started a server');
  return pid;
}

export interface Run {
  readonly code: number;
  readonly said: string;
}

/** What `npm run admin` and its like run, on the installation of that folder; `more`: further variables. */
export function command(
  program: string,
  words: readonly string[],
  folder: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const path = join(import.meta.dirname, `../commands/${program}.ts`);
  const env = { ...fromHere(), NAZAR_DATA: folder, ...more };
  execFile(process.execPath, [path, ...words], { env }, (error, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
  );
  return promise;
}

/** All that a program gets of the environment of the tests. */
function fromHere(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** An empty data folder that also another user gets into: as root, PostgreSQL is `nobody`. */
export function emptyDataFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'nazar-installation-'));
  chmodSync(path, 0o711);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** `more`: further variables. */
export async function start(
  folder: string,
  words: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<Installation> {
  const launcher = join(import.meta.dirname, '../launch.ts');
  const child = spawn(process.execPath, [launcher, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...fromHere(),
      HOME: process.env['HOME'],
      NAZAR_DATA: folder,
      NAZAR_PORT: '0',
      NAZAR_LOG: process.env['NAZAR_TEST_LOG'] ?? 'warn',
      NAZAR_VISION_HOSTS: '1',
      ...more,
    },
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const origin = Promise.withResolvers<string>();
  let printed = '';
  const hear = (part: Buffer): void => {
    printed += part.toString();
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (found !== undefined) origin.resolve(found);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  void ended.then((code) => origin.reject(new Error(`it ended with ${code}: ${printed}`)));
  const stop = async (): Promise<number | null> => {
    child.kill('SIGINT');
    const code = await ended;
    assert.equal(processesNaming(folder)?.length ?? 0, 0, 'processes are left running');
    return code;
  };
  const kill = async (): Promise<void> => {
    // The server first: without its launcher it would end cleanly.
    for (const pid of [serverOf(child.pid!), child.pid!]) process.kill(pid, 'SIGKILL');
    await ended;
  };
  const address = await origin.promise;
  const serverPid = (): number => serverOf(child.pid!);
  return {
    origin: address,
    printed: () => printed,
    folder,
    pid: child.pid!,
    serverPid,
    stop,
    kill,
  };
}
