/**
 * Sessions and their tokens: issue, exchange, end. An access token lives 10 minutes; a refresh token is
 * exchanged once for a new pair, and only the one exchanged last is accepted again, for 10 seconds, giving
 * the same pair: two tabs that refresh together both go on. Any other reuse means that somebody has a
 * copy, and ends the session (C-202, NSH-003).
 */
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { AccountStore, EndedReason, SessionRow, TokenRow, UserRow } from './store.ts';
import { newToken, tokenHash } from './tokens.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const accessMs = 10 * minuteMs;
const rememberedMs = 7 * dayMs;
const unrememberedMs = dayMs;
const absoluteMs = 30 * dayMs;
const graceMs = 10_000;
const maxSessionsPerUser = 10;

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/** What is known of the one who asks, beside the token. */
export interface Client {
  /** Sent by every browser and by nothing else (Sec-Fetch-Site). */
  readonly isBrowser: boolean;
  readonly cookie: string | undefined;
  readonly ip: string;
  readonly userAgent: string;
}

export interface Issued {
  readonly tokens: TokenPair;
  readonly sessionId: string;
  /** Value of the session cookie for a browser; lives as long as the session when remembered. */
  readonly cookie: { readonly value: string; readonly maxAgeS: number | null } | null;
}

type Exchange = { readonly tokens: TokenPair } | { readonly ended: EndedReason } | null;

export class Sessions {
  readonly #store: AccountStore;
  readonly #clock: Clock;

  constructor(store: AccountStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Begins a session in the caller's transaction; the oldest of too many ends. */
  async begin(tx: Tx, userId: string, client: Client, remember: boolean): Promise<Issued> {
    const nowMs = this.#clock.now();
    const cookie = client.isBrowser ? newToken('cookie') : null;
    const lifetimeMs = client.isBrowser && remember ? rememberedMs : unrememberedMs;
    const session: SessionRow = {
      id: uuidv7(nowMs),
      user_id: userId,
      is_browser: client.isBrowser,
      is_remembered: remember,
      cookie_hash: cookie === null ? null : tokenHash(cookie, 'cookie'),
      generation: 0,
      ip: client.ip,
      user_agent: client.userAgent.slice(0, 300),
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + lifetimeMs),
      absolute_expires_at: new Date(nowMs + (client.isBrowser ? absoluteMs : unrememberedMs)),
      ended_at: null,
      ended_reason: null,
    };
    await this.#store.addSession(tx, session);
    const tokens = await this.#issue(tx, session, 0);
    for (const id of await this.#store.surplusSessions(tx, userId, maxSessionsPerUser)) {
      await this.#store.endSession(tx, id, new Date(nowMs), 'limit');
    }
    const maxAgeS = remember ? absoluteMs / 1000 : null;
    return { tokens, sessionId: session.id, cookie: cookie ? { value: cookie, maxAgeS } : null };
  }

  /** The session an access token belongs to. Throws not_signed_in. */
  async find(access: string, client: Client): Promise<{ session: SessionRow; user: UserRow }> {
    const hash = tokenHash(access, 'access');
    const found = hash && (await this.#store.sessionByAccessToken(hash, this.#now()));
    if (!found) throw new Problem('not_signed_in');
    // Not remembered: the session is the browser's own, and ends when the browser drops its cookie.
    if (found.is_browser && !found.is_remembered && !matchesCookie(found, client)) {
      throw new Problem('not_signed_in');
    }
    return { session: found, user: found.user };
  }

  /** Whether a session still lives, by its id. */
  async findById(id: string): Promise<{ session: SessionRow; user: UserRow } | null> {
    const found = await this.#store.sessionById(id, this.#now());
    return found ? { session: found, user: found.user } : null;
  }

  /** Throws invalid_refresh; on a replay or without the bound cookie it ends the session first. */
  async refresh(refresh: string, client: Client): Promise<TokenPair> {
    const hash = tokenHash(refresh, 'refresh');
    if (!hash) throw new Problem('invalid_refresh');
    const exchange = await this.#store.transaction((tx) =>
      this.#exchange(tx, hash, refresh, client),
    );
    if (!exchange || 'ended' in exchange) throw new Problem('invalid_refresh');
    return exchange.tokens;
  }

  async end(tx: Tx, sessionId: string, reason: EndedReason): Promise<void> {
    await this.#store.endSession(tx, sessionId, this.#now(), reason);
  }

  /** Ends all of a user's sessions and says which. */
  endAll(tx: Tx, userId: string, reason: EndedReason): Promise<string[]> {
    return this.#store.endSessionsOf(tx, userId, this.#now(), reason);
  }

  async #exchange(tx: Tx, hash: Buffer, refresh: string, client: Client): Promise<Exchange> {
    const now = this.#now();
    const found = await this.#store.refreshTokenForUpdate(tx, hash);
    if (!found) return null;
    const { token, session } = found;
    if (session.ended_at || session.absolute_expires_at <= now || token.expires_at <= now)
      return null;
    if (session.is_browser && !matchesCookie(session, client)) {
      return this.#end(tx, session, now, 'stolen');
    }
    if (token.used_at) return this.#again(tx, token, session, now, refresh);
    const generation = session.generation + 1;
    const lifetimeMs = session.is_browser && session.is_remembered ? rememberedMs : unrememberedMs;
    const expiresAtMs = Math.min(now.getTime() + lifetimeMs, session.absolute_expires_at.getTime());
    const renewed = { ...session, expires_at: new Date(expiresAtMs) };
    const tokens = await this.#issue(tx, renewed, generation);
    await this.#store.useRefreshToken(tx, hash, now, sealSuccessor(refresh, tokens));
    await this.#store.advanceSession(tx, session.id, generation, renewed.expires_at);
    return { tokens };
  }

  /** A refresh token that was exchanged before: the other tab's within the grace, else a copy. */
  async #again(
    tx: Tx,
    token: TokenRow,
    session: SessionRow,
    now: Date,
    refresh: string,
  ): Promise<Exchange> {
    const sinceUsedMs = now.getTime() - (token.used_at?.getTime() ?? 0);
    const isPreceding = token.generation === session.generation - 1;
    if (isPreceding && sinceUsedMs <= graceMs && token.successor) {
      return { tokens: openSuccessor(refresh, token.successor) };
    }
    return this.#end(tx, session, now, 'replay');
  }

  async #end(tx: Tx, session: SessionRow, now: Date, reason: EndedReason): Promise<Exchange> {
    await this.#store.endSession(tx, session.id, now, reason);
    return { ended: reason };
  }

  async #issue(tx: Tx, session: SessionRow, generation: number): Promise<TokenPair> {
    const tokens: TokenPair = { access: newToken('access'), refresh: newToken('refresh') };
    const row = { session_id: session.id, generation, used_at: null, successor: null };
    await this.#store.addTokens(tx, [
      {
        ...row,
        kind: 'access',
        hash: tokenHash(tokens.access, 'access')!,
        expires_at: new Date(this.#clock.now() + accessMs),
      },
      {
        ...row,
        kind: 'refresh',
        hash: tokenHash(tokens.refresh, 'refresh')!,
        expires_at: session.expires_at,
      },
    ]);
    return tokens;
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

function matchesCookie(session: SessionRow, client: Client): boolean {
  const hash = client.cookie === undefined ? null : tokenHash(client.cookie, 'cookie');
  return hash !== null && session.cookie_hash !== null && hash.equals(session.cookie_hash);
}

/** The pair a refresh token was exchanged for, readable only by who holds that token. */
const successorKey = (refresh: string): SecretKey =>
  new SecretKey(Buffer.from(refresh.slice(-43), 'base64url')).derive('session_token.successor');

function sealSuccessor(refresh: string, tokens: TokenPair): Buffer {
  return successorKey(refresh).sealText(JSON.stringify(tokens), 'session_token.successor');
}

function openSuccessor(refresh: string, sealed: Buffer): TokenPair {
  return JSON.parse(successorKey(refresh).openText(sealed, 'session_token.successor')) as TokenPair;
}
