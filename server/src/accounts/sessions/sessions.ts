/**
 * Sessions and their tokens: issue, exchange, end. An access token lives 10 minutes; a refresh token is
 * exchanged once for a new pair, and only the one exchanged last is accepted again, for 10 seconds, giving
 * the same pair: two tabs that refresh together both go on. Any other reuse means that there is a copy,
 * and ends the session. A session that was idle for as long as its policy says ends, too.
 * All of this uses a time that never goes back.
 */
import { accessTokenMs } from '@nazar/contract/accounts.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { Site } from '../site.ts';
import type { Admission } from '../security/admission.ts';
import type { Policy } from '../security/policy.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { EndedReason, LivingSession, SessionRow, SessionStore } from './store.ts';
import type { TokenRow, TokenStore } from './token-store.ts';
import { newToken, tokenHash } from '../tokens.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const rememberedMs = 7 * dayMs;
const unrememberedMs = dayMs;
export const longestSessionDays = 30;
const absoluteMs = longestSessionDays * dayMs;
const graceMs = 10_000;
const maxSessionsPerUser = 10;
/** The precision of the last activity: not every request writes a row. */
const touchMs = 10_000;
/** No policy ends a session sooner. */
const shortestIdleMs = 5 * minuteMs;

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/** What is known about the caller besides the token. */
export interface Client {
  /** Sent by every browser and by nothing else (Sec-Fetch-Site). */
  readonly isBrowser: boolean;
  readonly cookie: string | undefined;
  readonly ip: string;
  readonly userAgent: string;
  /** The name for which passkeys work; null or absent: they do not work here. */
  readonly site?: Site | null;
  /** The page sends this request by itself, without its user (`X-Poll: 1`). */
  readonly isPoll?: boolean;
}

/** A session known by its id, and the address that it is used from. */
export interface UsedSession {
  readonly sessionId: string;
  readonly ip: string;
}

export interface Issued {
  readonly tokens: TokenPair;
  readonly sessionId: string;
  /** Value of the session cookie for a browser; lives as long as the session when remembered. */
  readonly cookie: { readonly value: string; readonly maxAgeS: number | null } | null;
}

/** These reasons mean that there was a copy. */
const thefts: readonly EndedReason[] = ['replay', 'stolen'];

/** A refresh token, and the client that sent it. */
interface Shown {
  readonly hash: Buffer;
  readonly refresh: string;
  readonly client: Client;
}

type Exchange =
  | { readonly tokens: TokenPair }
  | { readonly ended: EndedReason; readonly session: SessionRow }
  | null;

export interface SessionsOptions {
  readonly store: SessionStore;
  readonly tokens: TokenStore;
  readonly time: SteadyClock;
  readonly admission: Admission;
  /** Called in the transaction that ends a session because there was a copy of it. */
  readonly stolen: (tx: Tx, session: SessionRow, client: Client) => Promise<void>;
}

export class Sessions {
  readonly #store: SessionStore;
  readonly #tokens: TokenStore;
  readonly #time: SteadyClock;
  readonly #admission: Admission;
  readonly #stolen: SessionsOptions['stolen'];

  constructor({ store, tokens, time, admission, stolen }: SessionsOptions) {
    this.#stolen = stolen;
    this.#store = store;
    this.#tokens = tokens;
    this.#time = time;
    this.#admission = admission;
  }

  /** Begins a session in the caller's transaction; the oldest of too many ends. Throws address_not_allowed. */
  async begin(tx: Tx, userId: string, client: Client, remember: boolean): Promise<Issued> {
    const policy = await this.#admission.policyFor(userId);
    if (!policy.allows(client.ip)) throw new Problem('address_not_allowed');
    const nowMs = await this.#time.now();
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
      last_active_at: new Date(nowMs),
      expires_at: new Date(nowMs + lifetimeMs),
      absolute_expires_at: new Date(nowMs + (client.isBrowser ? absoluteMs : unrememberedMs)),
      ended_at: null,
      ended_reason: null,
    };
    await this.#store.add(tx, session);
    const tokens = await this.#issue(tx, session, 0, new Date(nowMs));
    for (const id of await this.#store.surplus(tx, userId, maxSessionsPerUser)) {
      await this.#store.end(tx, id, new Date(nowMs), 'limit');
    }
    const maxAgeS = remember ? absoluteMs / 1000 : null;
    return { tokens, sessionId: session.id, cookie: cookie ? { value: cookie, maxAgeS } : null };
  }

  /** The session an access token belongs to. Throws not_signed_in. */
  async find(access: string, client: Client): Promise<LivingSession> {
    const at = await this.#now();
    const hash = tokenHash(access, 'access');
    const id = hash && (await this.#tokens.sessionOf(hash, at));
    const found = id && (await this.#store.byId(id, at));
    if (!found) throw new Problem('not_signed_in');
    // Not remembered: the session is the browser's own, and ends when the browser drops its cookie.
    if (found.is_browser && !found.is_remembered && !matchesCookie(found, client)) {
      throw new Problem('not_signed_in');
    }
    if (!(await this.#mayGoOn(found, client.ip, at))) throw new Problem('not_signed_in');
    const sinceTouchMs = at.getTime() - found.last_active_at.getTime();
    if (!client.isPoll && sinceTouchMs >= touchMs) await this.#store.touch(found.id, at);
    return found;
  }

  /** A session by its id, as used from that address; null when it may not go on. This is not activity. */
  async findById(sessionId: string, ip: string): Promise<LivingSession | null> {
    return (await this.findEach([{ sessionId, ip }]))[0] ?? null;
  }

  /** The same for many, in their order; they are read together. */
  async findEach(asked: readonly UsedSession[]): Promise<(LivingSession | null)[]> {
    const at = await this.#now();
    const living = await this.#store.byIds(
      [...new Set(asked.map(({ sessionId }) => sessionId))],
      at,
    );
    const users = new Set([...living.values()].map(({ user_id }) => user_id));
    const policies = await this.#admission.policiesFor([...users]);
    const found: (LivingSession | null)[] = [];
    for (const { sessionId, ip } of asked) {
      const session = living.get(sessionId);
      const policy = session && policies.get(session.user_id);
      const mayGoOn = session && policy && (await this.#passes(session, policy, ip, at));
      found.push(mayGoOn ? session : null);
    }
    return found;
  }

  /** When the session ends unless it is used before; null when it has ended. */
  async endsAt(id: string): Promise<Date | null> {
    const session = await this.#store.byId(id, await this.#now());
    if (!session) return null;
    const { idleMs } = await this.#admission.policyFor(session.user_id);
    const idleAtMs = session.last_active_at.getTime() + idleMs;
    return new Date(Math.min(idleAtMs, session.absolute_expires_at.getTime()));
  }

  /** Ends sessions that were idle for too long, of one user or of all, and returns their ids. */
  async endOverdue(userId: string | null = null): Promise<string[]> {
    const at = await this.#now();
    const idleSince = new Date(at.getTime() - shortestIdleMs);
    const ended: string[] = [];
    for (const session of await this.#store.overdue(userId, at, idleSince)) {
      const { idleMs } = await this.#admission.policyFor(session.user_id);
      const reason = overdue(session, idleMs, at);
      if (!reason) continue;
      await this.#endAlone(session, at, reason);
      ended.push(session.id);
    }
    return ended;
  }

  /** Null: the token is not valid. A replay, or a missing bound cookie, ends the session first. */
  async refresh(refresh: string, client: Client): Promise<TokenPair | null> {
    const hash = tokenHash(refresh, 'refresh');
    if (!hash) return null;
    const at = await this.#now();
    const exchange = await this.#store.transaction(async (tx) => {
      const done = await this.#exchange(tx, at, { hash, refresh, client });
      if (done && 'ended' in done && thefts.includes(done.ended)) {
        await this.#stolen(tx, done.session, client);
      }
      return done;
    });
    return !exchange || 'ended' in exchange ? null : exchange.tokens;
  }

  deleteExpiredTokens(at: Date): Promise<void> {
    return this.#tokens.deleteExpired(at);
  }

  async end(tx: Tx, sessionId: string, reason: EndedReason): Promise<void> {
    await this.#store.end(tx, sessionId, await this.#now(), reason);
  }

  /** Ends all of a user's sessions and returns their ids. */
  async endAll(tx: Tx, userId: string, reason: EndedReason): Promise<string[]> {
    return this.#store.endAllOf(tx, userId, await this.#now(), reason);
  }

  async #exchange(tx: Tx, now: Date, { hash, refresh, client }: Shown): Promise<Exchange> {
    const found = await this.#tokens.refreshForUpdate(tx, hash);
    if (!found) return null;
    const { token, session } = found;
    if (session.ended_at || session.absolute_expires_at <= now || token.expires_at <= now)
      return null;
    if (session.is_browser && !matchesCookie(session, client)) {
      return this.#end(tx, session, now, 'stolen');
    }
    const { idleMs, allows } = await this.#admission.policyFor(session.user_id);
    if (!allows(client.ip)) return null;
    const reason = overdue(session, idleMs, now);
    if (reason) return this.#end(tx, session, now, reason);
    if (token.used_at) return this.#again(tx, token, session, now, refresh);
    const generation = session.generation + 1;
    const lifetimeMs = session.is_browser && session.is_remembered ? rememberedMs : unrememberedMs;
    const expiresAtMs = Math.min(now.getTime() + lifetimeMs, session.absolute_expires_at.getTime());
    const renewed = { ...session, expires_at: new Date(expiresAtMs) };
    const tokens = await this.#issue(tx, renewed, generation, now);
    await this.#tokens.use(tx, hash, now, sealSuccessor(refresh, tokens));
    await this.#store.advance(tx, session.id, generation, renewed.expires_at);
    return { tokens };
  }

  /** A refresh token that was exchanged before: another tab's within the grace period, else a copy. */
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
    await this.#store.end(tx, session.id, now, reason);
    return { ended: reason, session };
  }

  async #issue(tx: Tx, session: SessionRow, generation: number, at: Date): Promise<TokenPair> {
    const tokens: TokenPair = { access: newToken('access'), refresh: newToken('refresh') };
    const row = { session_id: session.id, generation, used_at: null, successor: null };
    await this.#tokens.add(tx, [
      {
        ...row,
        kind: 'access',
        hash: tokenHash(tokens.access, 'access')!,
        expires_at: new Date(at.getTime() + accessTokenMs),
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

  /** Checks address and time now; a session that was idle for too long ends at once. */
  async #mayGoOn(session: SessionRow, ip: string, at: Date): Promise<boolean> {
    return this.#passes(session, await this.#admission.policyFor(session.user_id), ip, at);
  }

  async #passes(
    session: SessionRow,
    { idleMs, allows }: Policy,
    ip: string,
    at: Date,
  ): Promise<boolean> {
    const reason = overdue(session, idleMs, at);
    if (reason) await this.#endAlone(session, at, reason);
    return !reason && allows(ip);
  }

  async #endAlone(session: SessionRow, at: Date, reason: EndedReason): Promise<void> {
    await this.#store.transaction((tx) => this.#store.end(tx, session.id, at, reason));
  }

  async #now(): Promise<Date> {
    return new Date(await this.#time.now());
  }
}

/** Why a session is over at that moment; null while it is not. */
function overdue(session: SessionRow, idleMs: number, at: Date): 'idle' | 'expired' | null {
  if (session.expires_at <= at || session.absolute_expires_at <= at) return 'expired';
  return at.getTime() - session.last_active_at.getTime() >= idleMs ? 'idle' : null;
}

function matchesCookie(session: SessionRow, client: Client): boolean {
  const hash = client.cookie === undefined ? null : tokenHash(client.cookie, 'cookie');
  return hash !== null && session.cookie_hash !== null && hash.equals(session.cookie_hash);
}

/** The pair that a refresh token was exchanged for, readable only with that token. */
const successorKey = (refresh: string): SecretKey =>
  new SecretKey(Buffer.from(refresh.slice(-43), 'base64url')).derive('session_token.successor');

function sealSuccessor(refresh: string, tokens: TokenPair): Buffer {
  return successorKey(refresh).sealText(JSON.stringify(tokens), 'session_token.successor');
}

function openSuccessor(refresh: string, sealed: Buffer): TokenPair {
  return JSON.parse(successorKey(refresh).openText(sealed, 'session_token.successor')) as TokenPair;
}
