/**
 * How many requests one account, and one address, may make in a minute. Guesses at secrets are
 * counted elsewhere, in the database; these counts only keep one caller from using up the whole server, so
 * each node has its own and a restart forgets them.
 *
 * Each has a token bucket: a minute's worth at once, then as tokens are refilled.
 */
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { addressGroup, isLoopback } from './address.ts';

const minuteMs = 60_000;
/** An address may be several people behind one router. */
const accountsPerAddress = 2;
/** Scripts and tests on this machine, and everyone behind a proxy that is not trusted. */
const loopbackFactor = 10;
/** Files are expensive to check: each passes the image host. */
const uploadsPerMinute = 60;
/** Callers that are remembered; beyond them the caller whose last request is oldest starts anew. */
const maxCallers = 10_000;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

export class RequestLimits {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  /** `perMinute` for an account. */
  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Throws too_many_requests. */
  ofAddress(ip: string): void {
    this.#take(`address ${addressGroup(ip)}`, this.#perMinute * accountsPerAddress, ip);
  }

  /** Throws too_many_requests. */
  ofAccount(userId: string, ip: string, isUpload: boolean): void {
    this.#take(`account ${userId}`, this.#perMinute, ip);
    if (isUpload) this.#take(`uploads ${userId}`, uploadsPerMinute, ip);
  }

  #take(caller: string, perMinute: number, ip: string): void {
    const size = perMinute * (isLoopback(ip) ? loopbackFactor : 1);
    const atMs = this.#clock.monotonicMs();
    const before = this.#buckets.get(caller) ?? { tokens: size, atMs };
    const returned = ((atMs - before.atMs) * size) / minuteMs;
    const tokens = Math.min(size, before.tokens + returned);
    this.#buckets.delete(caller); // and back at the end: the map is in the order of the last request
    this.#buckets.set(caller, { tokens: Math.max(0, tokens - 1), atMs });
    if (this.#buckets.size > maxCallers) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (tokens >= 1) return;
    const waitMs = ((1 - tokens) * minuteMs) / size;
    throw new Problem('too_many_requests', {
      retry_after_s: Math.max(1, Math.ceil(waitMs / 1000)),
    });
  }
}
