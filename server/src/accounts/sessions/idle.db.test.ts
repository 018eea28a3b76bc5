/** How long a session lives while its user is away, or is there. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { Clock } from '#lib/clock.ts';
import { SecretKey } from '#lib/secrets.ts';
import { accountsOn } from '#testing/accounts.ts';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { lightHashes } from '#testing/hash-cost.ts';
import type { Accounts } from '../accounts.ts';
import type { Client } from './sessions.ts';
import type { Opened } from '../sign-in/sign-in.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** The last deed is known to within this time. */
const touchMs = 10_000;
const password = 'correct-horse-7-staple';
const ip = '127.0.0.1';
const script: Client = { isBrowser: false, cookie: undefined, ip, userAgent: 'test' };
const poll: Client = { ...script, isPoll: true };
const isSignedOut = { code: 'not_signed_in' };
const isRefused = { code: 'invalid_refresh' };

let database: TestDatabase;
let clock: StoppedClock;
let accounts: Accounts;
const key = SecretKey.random();
let users = 0;

before(async () => {
  database = await testDatabase();
  clock = aClock();
  accounts = anAccounts(clock);
});
after(() => database[Symbol.asyncDispose]());
beforeEach(() => sql`delete from setting`.execute(database.db.write()));

function anAccounts(by: Clock): Accounts {
  return accountsOn(database.db, { clock: by, key, hashCost: lightHashes });
}

async function signIn(client: Client = script, remember = false): Promise<Opened> {
  const email = `user-${(users += 1)}@example.org`;
  await accounts.createUser({ email, password, firstName: 'A', lastName: 'B', role: 'user' });
  return opened(await accounts.login({ email, password, remember }, client));
}

/** No user here has a second factor. */
function opened(answer: Awaited<ReturnType<Accounts['login']>>): Opened {
  assert.ok('tokens' in answer);
  return answer;
}

async function limits(userId: string, system: number, own: number | null): Promise<void> {
  const write = database.db.write();
  const value = JSON.stringify({ sessionTimeout: system });
  await sql`delete from setting`.execute(write);
  await sql`insert into setting values ('security', ${value}, now())`.execute(write);
  await sql`
    insert into account_security (user_id, session_timeout) values (${userId}, ${own})
    on conflict (user_id) do update set session_timeout = excluded.session_timeout`.execute(write);
}

async function reasonOf(sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ ended_reason: string | null }>`
    select ended_reason from session where id = ${sessionId}`.execute(database.db.read());
  return rows[0]?.ended_reason ?? null;
}

test('SEC-011, SET-026 unused for 30 minutes a session is over: not by a poll, a refresh or a socket saved', async () => {
  const { tokens, sessionId } = await signIn();
  let { access, refresh } = tokens;
  for (let minute = 5; minute < 30; minute += 5) {
    clock.advance(5 * minuteMs);
    ({ access, refresh } = await accounts.refresh(refresh, script));
    await accounts.identify(access, poll);
    assert.ok(await accounts.identifySession(sessionId, ip));
  }
  clock.advance(5 * minuteMs);
  await assert.rejects(accounts.identify(access, poll), isSignedOut);
  await assert.rejects(accounts.identify(access, script), isSignedOut);
  await assert.rejects(accounts.refresh(refresh, script), isRefused);
  assert.equal(await accounts.identifySession(sessionId, ip), null);
  assert.equal(await reasonOf(sessionId), 'idle', 'it ended on the server');
});

test('=SES-005 the time without activity that the sign-in page says ends a remembered session', async () => {
  const { tokens, user } = await signIn(script, true);
  await limits(user.id, 45, null);
  const { inactive_minutes: minutes } = await accounts.security.sessionLimits();
  assert.equal(minutes, 45);
  clock.advance(minutes * minuteMs - 1);
  const { access } = await accounts.refresh(tokens.refresh, script);
  clock.advance(1);
  await assert.rejects(accounts.identify(access, poll), isSignedOut);
});

test('CFL-021 the shorter of the own limit and that of the installation counts, never is only the latter', async () => {
  const cases = [
    [240, 15, 15],
    [240, null, 240],
    [5, null, 5],
    [5, 120, 5],
    [60, 60, 60],
    [45, 120, 45],
  ] as const;
  for (const [system, own, minutes] of cases) {
    for (const [wait, lives] of [
      [minutes * minuteMs - 1, true],
      [minutes * minuteMs, false],
    ] as const) {
      const { sessionId, user } = await signIn();
      await limits(user.id, system, own);
      clock.advance(wait);
      const found = await accounts.identifySession(sessionId, ip);
      assert.equal(found !== null, lives, `${system} and ${own}: after ${wait} ms`);
    }
  }
});

/** The user does something, or a page asks on its own, after a while. */
const step = fc.record({
  waitMs: fc.oneof(
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: 0, max: 16 * minuteMs }),
    fc.constantFrom(15 * minuteMs - 1, 15 * minuteMs, 4 * minuteMs),
  ),
  isPoll: fc.boolean(),
});

test('C-204, H-15 model: a session lives while its user is active within its limit, and no longer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { tokens, user } = await signIn();
      await limits(user.id, 240, 15);
      let { access, refresh } = tokens;
      let deedMs = clock.now();
      for (const { waitMs, isPoll } of steps) {
        clock.advance(waitMs);
        const idleMs = clock.now() - deedMs;
        const renewed = await accounts.refresh(refresh, script).catch(() => null);
        const found =
          renewed &&
          (await accounts.identify(renewed.access, isPoll ? poll : script).catch(() => null));
        // A row is written every ten seconds at most: it may be over that much too early, never too late.
        if (idleMs >= 15 * minuteMs) assert.equal(found, null, `idle for ${idleMs} ms`);
        if (idleMs < 15 * minuteMs - touchMs) assert.ok(found, `idle for ${idleMs} ms`);
        if (!renewed || !found) {
          await assert.rejects(accounts.identify(access, script), isSignedOut);
          return;
        }
        ({ access, refresh } = renewed);
        if (!isPoll) deedMs = clock.now();
      }
    }),
    { numRuns: 40 },
  );
});

test('C-204 thirty days are the end, however long one may be idle', async () => {
  const browser = await signIn({ ...script, isBrowser: true }, true);
  await limits(browser.user.id, 240, null);
  const write = database.db.write();
  // As a user who never left: the last deed and the last refresh are always a moment ago.
  const near = new Date(clock.now() + 30 * dayMs - 1);
  await sql`update session set last_active_at = ${near}, expires_at = absolute_expires_at
    where id = ${browser.sessionId}`.execute(write);
  clock.advance(30 * dayMs - 1);
  assert.ok(await accounts.identifySession(browser.sessionId, ip));
  clock.advance(1);
  assert.equal(await accounts.identifySession(browser.sessionId, ip), null);
});

test('C-206 the server ends an unused session by itself, and reports it', async () => {
  const idle = await signIn();
  clock.advance(29 * minuteMs);
  const used = await signIn();
  clock.advance(minuteMs);
  const ended: string[] = [];
  using _reading = accounts.sessionEnded.on(({ sessionId }) => ended.push(sessionId));
  await accounts.endOverdueSessions();
  assert.ok(ended.includes(idle.sessionId));
  assert.ok(!ended.includes(used.sessionId));
  assert.equal(await reasonOf(idle.sessionId), 'idle');
  assert.equal(await reasonOf(used.sessionId), null);
  await accounts.endOverdueSessions();
  assert.equal(ended.filter((id) => id === idle.sessionId).length, 1);
});

/** The same moments by a wall clock that was set; what passes, passes for both. */
const set = (shiftMs: number): Clock => ({ ...clock, now: () => clock.now() + shiftMs });

test('C-210 a wall clock that is set back an hour revives nothing, not after a restart either', async () => {
  const { tokens, sessionId } = await signIn();
  clock.advance(11 * minuteMs);
  await assert.rejects(accounts.identify(tokens.access, script), isSignedOut);
  const restarted = anAccounts(set(-hourMs));
  await assert.rejects(restarted.identify(tokens.access, script), isSignedOut, 'the access token');
  const next = await restarted.refresh(tokens.refresh, script);
  await restarted.identify(next.access, script);
  clock.advance(31 * minuteMs);
  await assert.rejects(restarted.refresh(next.refresh, script), isRefused, 'the session');
  const again = anAccounts(set(-12 * hourMs));
  assert.equal(await again.identifySession(sessionId, ip), null);
  await assert.rejects(again.refresh(next.refresh, script), isRefused);
});

test('C-210 while the wall clock is behind, time goes on: new tokens end when theirs is over', async () => {
  await accounts.endOverdueSessions();
  const behind = anAccounts(set(-dayMs));
  const email = `user-${(users += 1)}@example.org`;
  await behind.createUser({ email, password, firstName: 'A', lastName: 'B', role: 'user' });
  const { tokens } = opened(await behind.login({ email, password, remember: false }, script));
  clock.advance(10 * minuteMs - 1);
  await behind.identify(tokens.access, script);
  clock.advance(1);
  await assert.rejects(behind.identify(tokens.access, script), isSignedOut);
});

test('C-210 set back while the server runs, the clock changes nothing', async () => {
  let shiftMs = 0;
  const running = anAccounts({ ...clock, now: () => clock.now() + shiftMs });
  const { tokens } = await signIn();
  clock.advance(9 * minuteMs);
  await running.identify(tokens.access, script);
  shiftMs = -hourMs;
  clock.advance(minuteMs);
  await assert.rejects(running.identify(tokens.access, script), isSignedOut);
});
