/**
 * The two tokens of a session and their exchange (SES-010, 015 to 018, NSH-003). However many calls and
 * tabs meet a 401 at once, the refresh token is spent once.
 */
import { accountRoutes, type RefreshReply } from '@nazar/contract/accounts.ts';
import { store, stored } from '#lib/storage.ts';
import { Problem, readProblem } from './problem.ts';

export const accessToken = (): string | null => stored('auth-token');

export function keepTokens(tokens: RefreshReply): void {
  store('auth-token', tokens.access);
  store('refresh-token', tokens.refresh);
}

export function forgetTokens(): void {
  store('auth-token', null);
  store('refresh-token', null);
}

/** Where two tabs share a lock, the second finds the first one's tokens; elsewhere the 10 s grace of NSH-003 serves. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return work();
  return navigator.locks.request('nazar-refresh', work);
}

async function exchange(refused: string | null): Promise<boolean> {
  const current = accessToken();
  if (current !== null && current !== refused) return true;
  const refresh = stored('refresh-token');
  if (refresh === null) return false;
  const response = await fetch(accountRoutes.refresh.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh }),
  }).catch((cause: unknown) => {
    throw new Problem(0, '', '', {}, cause);
  });
  if (response.ok) {
    keepTokens((await response.json()) as RefreshReply);
    return true;
  }
  // A server that is restarting or busy has not refused the session.
  if (response.status >= 500 || response.status === 429) throw await readProblem(response);
  return false;
}

let running: Promise<boolean> | null = null;

/**
 * True when there is a token worth trying other than `refused`; false when the session is over. Throws
 * when the server could not be asked: a dead network is no reason to sign anybody out.
 */
export function renewTokens(refused: string | null): Promise<boolean> {
  running ??= oneAtATime(() => exchange(refused)).finally(() => {
    running = null;
  });
  return running;
}
