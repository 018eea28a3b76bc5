/**
 * What `npm start` runs: starts the server, restarts it when it crashes, passes signals on. It holds no
 * state and has no other task, so that nothing in it can fail. Its arguments are passed to the server;
 * `--entry=FILE` runs that file instead.
 *
 * The end of the IPC channel (`disconnect`) shows the server that the launcher was killed, and the server ends.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { backoffMs } from '#lib/backoff.ts';
import { systemClock } from '#lib/clock.ts';
import { refusalExitCode } from '#lib/refusal.ts';
import { complain } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';

const backoff = { firstMs: 200, maxMs: 10_000 };
/** A server that ran this long is healthy: the count of crashes is reset. */
const healthyMs = 60_000;

const entryOption = '--entry=';
const args = process.argv.slice(2);
const entry = args.find((arg) => arg.startsWith(entryOption))?.slice(entryOption.length);
/** Scripts cannot reach an object's prototype, and a signal does not open the inspector. */
const hardening = ['--disable-proto=throw', '--disable-sigusr1'];
/** Node's cache of compiled sources: loading the server's takes 0.8 s of processor time with it, 1.6 s without. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/node');
const program = [
  ...hardening,
  entry ?? join(import.meta.dirname, 'main.ts'),
  ...args.filter((arg) => !arg.startsWith(entryOption)),
];

let child: ChildProcess | null = null;
const stop = new AbortController();

/** The first signal asks the server to end cleanly; the second one kills it at once. */
function passOn(signal: NodeJS.Signals): void {
  child?.kill(stop.signal.aborted ? 'SIGKILL' : signal);
  stop.abort();
}
process.on('SIGTERM', passOn);
process.on('SIGINT', passOn);

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function run(): Promise<End> {
  const { promise, resolve } = Promise.withResolvers<End>();
  // The server has a process group of its own: Ctrl-C reaches the launcher alone, which passes it on once.
  // A core dump would hold keys, passwords and pictures; all that the server starts inherits the limit.
  // The shell becomes the server, with its process number and its IPC channel.
  const withoutDumps = ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath];
  child = spawn('/bin/sh', [...withoutDumps, ...program], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env },
    detached: true,
  });
  child.once('exit', (code, signal) => resolve({ code, signal }));
  child.once('error', () => resolve({ code: 1, signal: null }));
  return promise;
}

let crashes = 0;
for (;;) {
  const startedAtMs = systemClock.monotonicMs();
  const { code, signal } = await run();
  if (stop.signal.aborted || code === 0 || code === refusalExitCode) {
    // A shell counts the same way: 128 + 9 for a process that was killed.
    process.exitCode = code ?? 137;
    break;
  }
  crashes = systemClock.monotonicMs() - startedAtMs > healthyMs ? 1 : crashes + 1;
  const delayMs = backoffMs(backoff, crashes, Math.random);
  complain(
    shown`The server ended (${signal ?? `code ${code}`}); it starts again in ${delayMs} ms.\n`,
  );
  await systemClock.wait(delayMs, stop.signal).catch(() => undefined);
  if (stop.signal.aborted) break;
}
