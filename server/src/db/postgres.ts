/**
 * The embedded PostgreSQL: a private server on a unix socket inside the data folder, started when it is
 * needed, adopted when it already runs, restarted when it dies. No user installs or configures
 * it. It does not belong to one server process: when that is killed, the database goes on, and the next
 * server adopts it. Knows nothing of tables.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { tendBallast } from './ballast.ts';
import { installBinaries } from './binaries.ts';
import { clusterName, privateFolder, socketFolder } from './folders.ts';
import { makeCluster } from './initdb.ts';
import { databaseRole, reach, stop, type Reached, type Site } from './postmaster.ts';
import { databaseUser } from './processes.ts';
import { turnOverLog } from './server-log.ts';

export interface EmbeddedPostgresOptions {
  /** Absolute; every file of PostgreSQL but its log is in here. */
  readonly folder: string;
  readonly logFile: string;
  readonly clock: Clock;
  readonly log: Log;
  /** These override `settings` below. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether to reserve disk space for a full disk; a database for tests has none. Default true. */
  readonly ballast?: boolean;
}

/** For one site on a small machine: the server and its hosts need the memory and the cores more. */
const settings = {
  max_connections: '64',
  shared_buffers: '128MB',
  work_mem: '16MB',
  maintenance_work_mem: '64MB',
  // A checkpoint every 256 MB keeps the folder small: with the default of 1 GB a million rows took 947 MB.
  max_wal_size: '256MB',
  // A recycled log file keeps its content, that of erased people too, until it is overwritten.
  wal_recycle: 'off',
  // Parallel plans take cores from detection and need more shared memory than a container has (64 MB).
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Values of people's rows do not belong in a log: no parameters, no "Key (email)=(...)".
  log_parameter_max_length: '0',
  log_error_verbosity: 'terse',
};

const tendEveryMs = 10_000;
/** A server that ran this long was healthy: the count of failures is reset. */
const healthyMs = 60_000;

export class EmbeddedPostgres implements AsyncDisposable {
  readonly #options: EmbeddedPostgresOptions;
  readonly #site: Site;
  readonly #stop = new AbortController();
  readonly #tasks: Promise<void>[] = [];
  #reached: Reached;

  /** Resolves when it answers. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const { folder, logFile, clock, log } = options;
    const user = databaseUser();
    privateFolder(folder, user);
    const binaries = installBinaries(folder, user);
    const dataFolder = join(folder, 'data');
    makeCluster(dataFolder, binaries, user);
    const site: Site = {
      binaries,
      dataFolder,
      socketFolder: socketFolder(folder, user),
      clusterName: clusterName(folder),
      user,
      logFile,
      settings: { ...settings, ...options.settings },
      clock,
    };
    await tend(options);
    try {
      const reached = await reach(site, new AbortController().signal);
      log.info({ pid: reached.pid, adopted: reached.adopted }, 'PostgreSQL answers');
      return new EmbeddedPostgres(options, site, reached);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Refusal(`${reason} (more in ${logFile})`, { cause: error });
    }
  }

  private constructor(options: EmbeddedPostgresOptions, site: Site, reached: Reached) {
    this.#options = options;
    this.#site = site;
    this.#reached = reached;
    this.#tasks.push(this.#keepRunning(), this.#keepTidy());
  }

  /** How to connect to a database in it. */
  connection(database: string): { host: string; user: string; database: string } {
    return { host: this.#site.socketFolder, user: databaseRole, database };
  }

  /** The PostgreSQL server process; another one after it died. */
  get pid(): number {
    return this.#reached.pid;
  }

  /** It ran before this process connected: the process that started it stops it. */
  get adopted(): boolean {
    return this.#reached.adopted;
  }

  /** Stops watching and leaves it running. */
  async release(): Promise<void> {
    this.#stop.abort();
    await this.#reached.watch.end().catch(() => undefined);
    await Promise.all(this.#tasks);
  }

  /** Stops it, cleanly, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
    await stop(this.#site);
    const { socketFolder } = this.#site;
    if (socketFolder !== this.#options.folder)
      rmSync(socketFolder, { recursive: true, force: true });
  }

  async #keepRunning(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      const reachedAtMs = clock.monotonicMs();
      await this.#reached.ended;
      if (signal.aborted) return;
      log.warn({ pid: this.#reached.pid }, 'PostgreSQL is gone');
      failures = clock.monotonicMs() - reachedAtMs > healthyMs ? 1 : failures + 1;
      while (!signal.aborted && !(await this.#reachAgain(failures))) failures += 1;
    }
  }

  /** Whether it answers again. */
  async #reachAgain(failures: number): Promise<boolean> {
    const { clock, log, folder } = this.#options;
    const { signal } = this.#stop;
    try {
      await clock.wait(backoffMs({ firstMs: 40, maxMs: 10_000 }, failures, Math.random), signal);
      await tend(this.#options);
      this.#reached = await reach(this.#site, signal);
    } catch (error) {
      if (signal.aborted) return false;
      log.error({ err: error }, 'PostgreSQL does not start');
      // The system may count free space differently from what PostgreSQL gets (quotas, reserved blocks).
      if (/No space left/.test(String(error))) rmSync(join(folder, 'ballast'), { force: true });
      return false;
    }
    if (signal.aborted) await this.#reached.watch.end().catch(() => undefined);
    log.info(
      { pid: this.#reached.pid, adopted: this.#reached.adopted },
      'PostgreSQL answers again',
    );
    return true;
  }

  async #keepTidy(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.wait(tendEveryMs, signal).catch(() => undefined);
      if (!signal.aborted) await tend(this.#options);
    }
  }
}

/** A full disk or a lost file must never end the server: a step that fails now is tried again at the next check. */
async function tend({
  folder,
  logFile,
  log,
  ballast = true,
}: EmbeddedPostgresOptions): Promise<void> {
  try {
    await turnOverLog(logFile);
    const step = ballast ? await tendBallast(join(folder, 'ballast'), folder) : 'keep';
    if (step === 'free') log.error('the disk is full: reserved space was freed for the database');
  } catch (error) {
    log.warn({ err: error }, 'could not tend the database folder');
  }
}
