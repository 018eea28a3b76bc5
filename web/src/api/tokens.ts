/**
 * The two tokens of a session and their exchange (SES-010, 015 to 018, NSH-003). However many calls and
 * tabs meet a 401 at once, the refresh token is spent once.
 */
import { accountRoutes, type RefreshReply } from '@nazar/contract/accounts.ts';
import { store, stored } from '#lib/storage.ts';
import { Problem, endsSession, noAnswer, readProblem } from './problem.ts';

export const accessToken = (): string | null => stored('auth-token');

export function keepTokens(tokens: RefreshReply): void {
  store('auth-token', tokens.access);
  store('refresh-token', tokens.refresh);
}

export function forgetTokens(): void {
  store('auth-token', null);
  store('refresh-token', null);
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
 * session is over. Throws everything else: neither a dead network nor a proxy signs anybody out.
 */
export function renewTokens(refused: string | null): Promise<boolean> {
  running ??= oneAtATime(() => exchange(refused)).finally(() => {
    running = null;
  });
  return running;
}
