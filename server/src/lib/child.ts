/**
 * A short-lived process: it starts with a socket to the server, works for it alone, and ends as soon as that
 * socket is closed. It does what decodes foreign bytes or would keep memory for good.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
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
    // No proxy, no preload, no secret: only the path of programs.
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  child.on('error', (error) => log.error({ err: error }, `${name} did not start`));
  return { process: child, peer: new Peer(child.stdio[socketFd] as Socket, { closed }) };
}

/** SIGKILL, because hangs and bombs do not obey a polite signal. */
export async function endChild({ process: child, peer }: Child): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const running = child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  child.kill('SIGKILL');
  peer.close();
  if (running) await gone;
}
