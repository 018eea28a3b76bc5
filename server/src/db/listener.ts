/**
 * Notifications between processes by LISTEN and NOTIFY, on one connection of its own. PostgreSQL keeps no
 * notifications for disconnected clients: after every (re)connection each reader gets null and reads the tables itself.
 */
import type { Client } from 'pg';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { newClient, type Target } from './connection.ts';

/** Null: listening begins (again), and anything may have been missed before. */
export type Reader = (payload: string | null) => void;

export class Listener implements AsyncDisposable {
  readonly #target: Target;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #stop = new AbortController();
  #client: Client | null = null;
  /** One connection takes one command at a time. */
  #lastCommand: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | null = null;

  constructor(target: Target, clock: Clock, log: Log) {
    this.#target = target;
    this.#clock = clock;
    this.#log = log;
  }

  listen(channel: string, read: Reader): Disposable {
    const readers = this.#readers.get(channel) ?? new Set();
    readers.add(read);
    this.#readers.set(channel, readers);
    if (this.#client) void this.#begin(this.#client, channel, [read]);
    // The connection is opened only when a module listens.
    this.#running ??= this.#keepListening();
    return { [Symbol.dispose]: () => this.#forget(channel, read) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  #forget(channel: string, read: Reader): void {
    const readers = this.#readers.get(channel);
    readers?.delete(read);
    if (readers?.size !== 0) return;
    this.#readers.delete(channel);
    if (this.#client) this.#command(this.#client, 'unlisten', channel).catch(() => undefined);
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#listenOnce(() => (failures = 0));
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, 'cannot listen for news');
      }
      failures += 1;
      const delayMs = backoffMs({ firstMs: 20, maxMs: 5_000 }, failures, Math.random);
      await this.#clock.wait(delayMs, signal).catch(() => undefined);
    }
  }

  /** Returns when the connection is over. */
  async #listenOnce(connected: () => void): Promise<void> {
    const client = newClient(this.#target, { application_name: 'nazar news' });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', () => undefined); // `end` follows
    client.on('notification', ({ channel, payload }) =>
      this.#tell(this.#readers.get(channel) ?? [], payload ?? ''),
    );
    try {
      await client.connect();
      connected();
      this.#client = client;
      this.#lastCommand = Promise.resolve();
      for (const [channel, readers] of this.#readers) await this.#begin(client, channel, readers);
      if (this.#stop.signal.aborted) return;
      await ended;
    } finally {
      this.#client = null;
      await client.end().catch(() => undefined);
    }
  }

  async #begin(client: Client, channel: string, readers: Iterable<Reader>): Promise<void> {
    try {
      await this.#command(client, 'listen', channel);
    } catch {
      return; // the connection is over: the next one begins anew
    }
    this.#tell(readers, null);
  }

  #command(client: Client, verb: 'listen' | 'unlisten', channel: string): Promise<unknown> {
    const words = `${verb} ${client.escapeIdentifier(channel)}`;
    const done = this.#lastCommand.then(() => client.query(words));
    this.#lastCommand = done.catch(() => undefined);
    return done;
  }

  #tell(readers: Iterable<Reader>, payload: string | null): void {
    for (const read of readers) {
      try {
        read(payload);
      } catch (error) {
        this.#log.error({ err: error }, 'a reader of news failed');
      }
    }
  }
}
