/**
 * How many wrong guesses are allowed: five free per account, then waits that double from 30 s to
 * 15 min; twenty failures a minute per network; and
 * three hundred over all networks. Pure: the counts live in the store, so that they
 * survive restarts and are shared by all nodes.
 */
export interface Failures {
  readonly count: number;
  readonly lastAtMs: number;
}

const freeFailures = 5;
const firstWaitMs = 30_000;
const maxWaitMs = 15 * 60_000;
/** A day without failures clears the count. No account is locked for ever, and no one guesses 100,000 times a year. */
export const forgetAfterMs = 24 * 60 * 60_000;

/** Milliseconds until the next guess for this account is checked; 0 means now. */
export function accountWaitMs(failures: Failures | null, nowMs: number): number {
  if (!failures || failures.count < freeFailures) return 0;
  if (nowMs - failures.lastAtMs > forgetAfterMs) return 0;
  const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (failures.count - freeFailures));
  return Math.max(0, failures.lastAtMs + waitMs - nowMs);
}

export const networkWindowMs = 60_000;

/**
 * Loopback gets a far higher allowance: behind a proxy that is not trusted, and for scripts and tests on
 * the machine itself, it stands for all clients.
 */
export const networkFailuresPerMinute = { network: 20, loopback: 600 } as const;
/** Invalid tokens and keys: they are too long to guess, so the number limits work, not luck. */
export const lookUpsPerMinute = { network: 120, loopback: 600 } as const;

/**
 * All networks together, without loopback. An attacker with many addresses gets five guesses a second and no more;
 * beyond that, only networks from which the same account signed in before go on.
 */
export const allFailuresPerMinute = 300;

/** How long a network stays known for an account that signed in from it. */
export const knownNetworkMs = 30 * 24 * 60 * 60_000;

/** The count after one more failure. */
export function afterFailure(failures: Failures | null, nowMs: number): Failures {
  const forgotten = !failures || nowMs - failures.lastAtMs > forgetAfterMs;
  return { count: forgotten ? 1 : failures.count + 1, lastAtMs: nowMs };
}
