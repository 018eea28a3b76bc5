/**
 * A short-lived process: it starts with a socket to the server, works for it alone, and ends as soon as that
 * socket is closed. It does work that decodes foreign bytes or would keep memory for good.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { awaitAtMost, systemClock } from './clock.ts';
import { compileCacheVariable } from './compile-cache.ts';
import type { Log } from './log.ts';
import { socketFd } from './parent.ts';
import { Peer } from './ipc.ts';

export interface Child {
  readonly process: ChildProcess;
  readonly peer: Peer;
}

export interface ChildOptions {
  readonly name: string;
  /** Absolute path of the `.ts` file to run, and its arguments; never a secret. */
  readonly words: readonly string[];
  readonly env?: Record<string, string>;
  /** The socket is closed: the process is gone, or about to be. */
  readonly closed: () => void;
  readonly log: Log;
}

export function startChild({ name, words, env, closed, log }: ChildOptions): Child {
  const child = spawn(process.execPath, [...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    // No proxy, no preload, no secret: only the path of programs and where compiled sources are.
    env: { PATH: process.env['PATH'] ?? '', ...compileCacheVariable(), ...env },
  });
  child.on('error', (error) => log.error({ err: error }, `${name} did not start`));
  return { process: child, peer: new Peer(child.stdio[socketFd] as Socket, { closed }) };
}

/** A process that waits for a disk in the kernel ends only when the disk answers: nothing waits longer than this. */
const goneMs = 2_000;

/** SIGKILL, because a process that hangs ignores milder signals. False: it has not ended yet, and ends when it can. */
export async function endChild({ process: child, peer }: Child): Promise<boolean> {
  const gone = goneOf(child);
  child.kill('SIGKILL');
  peer.close();
  let isGone = false;
  void gone.then(() => (isGone = true));
  await awaitAtMost(systemClock, gone, goneMs);
  // The child does not keep this process from ending.
  child.unref();
  return isGone;
}

/** Resolves once the process is gone. */
export function goneOf(child: ChildProcess): Promise<void> {
  const isRunning = child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  return isRunning
    ? new Promise<void>((resolve) => void child.once('exit', () => resolve()))
    : Promise.resolve();
}
