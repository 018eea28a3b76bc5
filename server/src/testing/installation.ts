/**
 * A whole installation as `npm start` runs it: launcher, server, PostgreSQL and hosts in a data folder of
 * its own, on a free port. What is left running when it is over is an error.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
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
  /** Ends it as Ctrl-C does; its exit code. */
  stop(): Promise<number | null>;
}

/** Numbers of the processes that have this text among their arguments; null where nobody tells (not Linux). */
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

/** An empty data folder that also another user gets into: as root, PostgreSQL is `nobody`. */
export function emptyDataFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'nazar-installation-'));
  chmodSync(path, 0o711);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export async function start(folder: string, words: readonly string[]): Promise<Installation> {
  const launcher = join(import.meta.dirname, '../launch.ts');
  const child = spawn(process.execPath, [launcher, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NAZAR_DATA: folder,
      NAZAR_PORT: '0',
      NAZAR_LOG: process.env['NAZAR_TEST_LOG'] ?? 'warn',
      NAZAR_VISION_HOSTS: '1',
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
  return { origin: await origin.promise, printed: () => printed, folder, stop };
}
