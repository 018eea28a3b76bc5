/**
 * One PostgreSQL server process: whether it runs, whether it may be started, how it is stopped. The rule for the lock
 * file it leaves behind (`postmaster.pid`) is here; no other code removes that file.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Binaries } from './binaries.ts';
import {
  isCalled,
  processesCalled,
  processState,
  type ProcessState,
  type RunAs,
} from './processes.ts';
import { logSince, logSize } from './server-log.ts';

/** The folders of one PostgreSQL and how it is run. */
export interface Site {
  readonly binaries: Binaries;
  /** PGDATA. */
  readonly dataFolder: string;
  readonly socketFolder: string;
  /** Part of the command line of each of its processes. */
  readonly clusterName: string;
  readonly user: RunAs | null;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

/** The one role; it owns the cluster. */
export const databaseRole = 'nazar';

/** Recovery after a crash took 0.2-0.9 s with 1M rows here; a card with a full `max_wal_size` takes longer. */
const reachTimeoutMs = 120_000;
/** How long a dead process may keep its number before its lock file counts as stale. */
const zombiePatienceMs = 10_000;
const lookAgainMs = 20;

export interface Reached {
  /** A connection that lasts as long as the server process: its end shows that the process died. */
  readonly watch: Client;
  readonly ended: Promise<void>;
  readonly pid: number;
  /** It ran before this process connected. */
  readonly adopted: boolean;
}

/** Connects to the server of this site; starts it when there is none. */
export async function reach(site: Site, signal: AbortSignal): Promise<Reached> {
  const { clock } = site;
  const startedAtMs = clock.monotonicMs();
  const logFrom = logSize(site.logFile);
  let child: ChildProcess | null = null;
  for (;;) {
    const answer = await connect(site);
    const pid = lockHolder(site.dataFolder);
    if (answer && pid !== null) return { ...answer, pid, adopted: child?.pid !== pid };
    await answer?.watch.end();
    if (child && hasEnded(child)) {
      const said = logSince(site.logFile, logFrom);
      // Another process was faster, or the one before us has not quite ended: check again.
      if (!/lock file .* already exists|pre-existing shared memory/.test(said)) {
        throw new Error(`PostgreSQL ended at its start: ${lastReason(said)}`);
      }
      child = null;
    }
    const waitedMs = clock.monotonicMs() - startedAtMs;
    if (!child && mayStart(site, waitedMs)) child = launch(site);
    if (waitedMs > reachTimeoutMs) throw new Error('PostgreSQL runs but does not answer');
    await clock.wait(lookAgainMs, signal);
  }
}

export type LockVerdict = 'start' | 'wait' | 'remove';

/**
 * What a lock file means. `ours` says whether the process in it is a PostgreSQL of this site (null: cannot
 * be seen), `others` how many further processes of this site are alive.
 *
 * A killed server leaves children that need a moment to notice, and may itself stay in the
 * process table until its parent reads its exit status: PostgreSQL refuses to start beside either. After a
 * reboot its number may belong to any program: only then is the file a stale one that PostgreSQL itself
 * would not get past.
 */
export function judgeLock(
  state: ProcessState,
  ours: boolean | null,
  others: number,
  waitedMs: number,
): LockVerdict {
  if (state === 'running' && ours !== false) return 'wait'; // starting, recovering or stopping
  if (others > 0) return 'wait';
  if (state === 'gone') return 'start';
  if (state === 'zombie' && waitedMs < zombiePatienceMs) return 'wait';
  return 'remove';
}

function mayStart({ dataFolder, clusterName }: Site, waitedMs: number): boolean {
  const pid = lockHolder(dataFolder);
  if (pid === null) return true;
  const others = processesCalled(clusterName).filter((other) => other !== pid).length;
  const verdict = judgeLock(processState(pid), isCalled(pid, clusterName), others, waitedMs);
  if (verdict === 'remove') rmSync(join(dataFolder, 'postmaster.pid'), { force: true });
  return verdict !== 'wait';
}

/** The process number in the lock file; null when there is none. */
function lockHolder(dataFolder: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8'), 10);
    return Number.isSafeInteger(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** Detached: it outlives us when we are killed, and the next server adopts it within 20 ms. */
function launch({ binaries, dataFolder, logFile, user, ...site }: Site): ChildProcess {
  const settings = {
    ...site.settings,
    listen_addresses: '',
    unix_socket_directories: site.socketFolder,
    cluster_name: site.clusterName,
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(binaries.postgres, ['-D', dataFolder, ...words], {
    ...user,
    detached: true,
    stdio: ['ignore', log, log],
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  closeSync(log);
  child.on('error', () => undefined); // `hasEnded` sees that it has no number
  child.unref();
  return child;
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Null while it does not answer. */
async function connect({ socketFolder }: Site): Promise<Pick<Reached, 'watch' | 'ended'> | null> {
  const watch = new Client({
    host: socketFolder,
    user: databaseRole,
    database: 'postgres',
    application_name: 'nazar watch',
    connectionTimeoutMillis: 5_000,
  });
  watch.on('error', () => undefined); // `end` follows
  const ended = new Promise<void>((resolve) => watch.once('end', resolve));
  try {
    await watch.connect();
    return { watch, ended };
  } catch {
    return null;
  }
}

function lastReason(said: string): string {
  const reasons = said
    .split('\n')
    .filter((line) => /FATAL|PANIC|ERROR|cannot|could not/.test(line));
  return (reasons.at(-1) ?? said.split('\n').at(-1) ?? '') || 'it said nothing';
}

/** Disconnects all sessions, writes a checkpoint, and returns when the process has ended. */
export async function stop({ dataFolder, clusterName, clock }: Site): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one (recovers from the log at the next start).
  for (const [signal, patienceMs] of [
    ['SIGINT', 60_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    const pid = lockHolder(dataFolder);
    if (pid === null || isCalled(pid, clusterName) === false) return;
    try {
      process.kill(pid, signal);
    } catch {
      return; // gone
    }
    const deadlineMs = clock.monotonicMs() + patienceMs;
    while (clock.monotonicMs() < deadlineMs) {
      if (processState(pid) !== 'running') return;
      await clock.wait(lookAgainMs);
    }
  }
}
