/**
 * The two tokens of a session and their exchange. However many calls and
 * tabs meet a 401 at once, the refresh token is spent once.
 */
import { accessTokenMs, accountRoutes, type RefreshReply } from '@nazar/contract/accounts.ts';
import { store, stored } from '#lib/storage.ts';
import { Problem, endsSession, noAnswer, readProblem } from './problem.ts';

export const accessToken = (): string | null => stored('auth-token');

export function keepTokens(tokens: RefreshReply): void {
  store('auth-token', tokens.access);
  store('refresh-token', tokens.refresh);
  store('token-since', String(Date.now()));
}

export function forgetTokens(): void {
  store('auth-token', null);
  store('refresh-token', null);
  store('token-since', null);
}

/** A guess with room: without it the second of three tabs read the old tokens in two runs of two. */
const STORED_EVERYWHERE_MS = 150;

/** Where two tabs share a lock, the second finds the first one's tokens; elsewhere the 10 s grace of NSH-003 serves. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request('nazar-refresh', async () => {
    const before = accessToken();
    const done = await work();
    // Another tab is another process, which reads new tokens a little later than they are stored.
    if (accessToken() !== before)
      await new Promise((resolve) => setTimeout(resolve, STORED_EVERYWHERE_MS));
    return done;
  });
}

/** Throws the Problem that stood in the way. */
async function askForTokens(refresh: string): Promise<RefreshReply> {
  const response = await fetch(accountRoutes.refresh.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh }),
  }).catch((cause: unknown) => {
    throw noAnswer(cause);
  });
  if (!response.ok) throw await readProblem(response);
  const reply = (await response.json().catch(() => null)) as Partial<RefreshReply> | null;
  const { access, refresh: next } = reply ?? {};
  if (typeof access !== 'string' || typeof next !== 'string') throw noAnswer(reply);
  return { access, refresh: next };
}

/**
 * The server may have exchanged the token though its answer was lost. It gives the same answer for 10 s
 * (NSH-003) and takes the token for a stolen one afterwards, so the page asks again within that time.
 */
const ASK_AGAIN_AFTER_MS = [250, 1000, 2500];

/** Nothing that the server itself has said. */
const isLost = (error: unknown): boolean =>
  error instanceof Problem && error.code === '' && (error.status === 0 || error.status >= 500);

async function exchange(refused: string | null): Promise<boolean> {
  const current = accessToken();
  if (current !== null && current !== refused) return true;
  const refresh = stored('refresh-token');
  if (refresh === null) return false;
  for (let tries = 0; ; tries += 1) {
    try {
      keepTokens(await askForTokens(refresh));
      return true;
    } catch (error) {
      if (endsSession(error)) return false;
      const pauseMs = ASK_AGAIN_AFTER_MS[tries];
      if (pauseMs === undefined || !isLost(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

let running: Promise<boolean> | null = null;

/**
 * True when there is a token worth trying other than `refused`; false when the server says that the
 * session is over. Throws everything else: neither a dead network nor a proxy signs a user out.
 */
export function renewTokens(refused: string | null): Promise<boolean> {
  running ??= oneAtATime(() => exchange(refused)).finally(() => {
    running = null;
  });
  return running;
}

/** A token is exchanged this long before it expires: more than a slow answer and a busy tab take. */
const RENEW_BEFORE_MS = 60_000;
/** A timer that is due while the machine sleeps runs when it wakes. */
const LOOK_EVERY_MS = 15_000;
/** A server that cannot be reached is not asked for tokens before each request. */
const REST_AFTER_FAILURE_MS = 10_000;

let failedMs = -Infinity;

/** False, too, where it is not known since when there is this token: then a 401 says it. */
function endsSoon(): boolean {
  const sinceMs = Number(stored('token-since') ?? Number.NaN);
  const ageMs = Date.now() - sinceMs;
  // A clock that was set back says nothing about the age.
  return ageMs > accessTokenMs - RENEW_BEFORE_MS || ageMs < 0;
}

/** The token to send: one that is about to end is exchanged first, once for all who wait to send. */
export async function tokenToSend(): Promise<string | null> {
  const token = accessToken();
  if (token === null || !endsSoon() || Date.now() - failedMs < REST_AFTER_FAILURE_MS) return token;
  try {
    await renewTokens(token);
  } catch {
    // The request itself meets what stands in the way, and says so.
    failedMs = Date.now();
  }
  return accessToken();
}

/** Exchanges tokens in time, so that what the page asks does not wait for it. Answers how to stop. */
export function renewInTime(): () => void {
  const timer = setInterval(() => void tokenToSend(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
