import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { SecretKey } from '#lib/secrets.ts';
import { accountsOn } from '#testing/accounts.ts';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { lightHashes } from '#testing/hash-cost.ts';
import type { Accounts } from '../accounts.ts';
import type { Client, Issued, TokenPair } from './sessions.ts';
import type { Opened } from '../sign-in/sign-in.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const password = 'correct-horse-7-staple';
const script: Client = { isBrowser: false, cookie: undefined, ip: '127.0.0.1', userAgent: 'test' };

let database: TestDatabase;
let clock: StoppedClock;
let accounts: Accounts;
const key = SecretKey.random();
let users = 0;

before(async () => {
  database = await testDatabase();
  clock = aClock();
  accounts = anAccounts();
});

/** The module on this database; again: after a restart. */
function anAccounts(): Accounts {
  return accountsOn(database.db, { clock, key, hashCost: lightHashes });
}
after(() => database[Symbol.asyncDispose]());

async function signIn(
  client: Client = script,
  remember = false,
): Promise<Opened & { email: string }> {
  const email = `user-${(users += 1)}@example.org`;
  await accounts.createUser({ email, password, firstName: 'A', lastName: 'B', role: 'user' });
  const answer = await accounts.login({ email, password, remember }, client);
  assert.ok('tokens' in answer);
  return { ...answer, email };
}

/** The browser that got this cookie. */
const browserOf = ({ cookie }: Issued): Client => ({
  ...script,
  isBrowser: true,
  cookie: cookie?.value,
});
const browser: Client = { ...script, isBrowser: true };

/** No session may stay longer: the most that an installation allows, and no wish of one's own. */
async function longestIdle(userId: string): Promise<void> {
  const write = database.db.write();
  await sql`insert into setting values ('security', '{"sessionTimeout": 240}', now())`.execute(
    write,
  );
  await sql`insert into account_security (user_id, session_timeout) values (${userId}, null)`.execute(
    write,
  );
}

/** A user who keeps coming back, often enough not to be idle. */
async function usedFor(
  ms: number,
  { tokens, client, everyMs }: { tokens: TokenPair; client: Client; everyMs: number },
): Promise<TokenPair> {
  let newest = tokens;
  const untilMs = clock.now() + ms;
  while (clock.now() < untilMs) {
    clock.advance(Math.min(everyMs, untilMs - clock.now()));
    newest = await accounts.refresh(newest.refresh, client);
    await accounts.identify(newest.access, client);
  }
  return newest;
}

const isRefused = { code: 'invalid_refresh' };
const isSignedOut = { code: 'not_signed_in' };

test('C-202, ~NSH-003 an access token lives 10 minutes, a refresh gives a new pair', async () => {
  const { tokens } = await signIn();
  clock.advance(10 * 60_000 - 1);
  await accounts.identify(tokens.access, script);
  clock.advance(1);
  await assert.rejects(accounts.identify(tokens.access, script), isSignedOut);
  const next = await accounts.refresh(tokens.refresh, script);
  assert.notEqual(next.refresh, tokens.refresh);
  await accounts.identify(next.access, script);
});

test('C-202, ~NSH-003 the token before the last gives the same pair for 10 s, and not a moment longer', async () => {
  const { tokens } = await signIn();
  const [one, two] = await Promise.all([
    accounts.refresh(tokens.refresh, script),
    accounts.refresh(tokens.refresh, script),
  ]);
  assert.deepEqual(one, two, 'two tabs at once');
  clock.advance(10_000);
  assert.deepEqual(await accounts.refresh(tokens.refresh, script), one);
  clock.advance(1);
  await assert.rejects(accounts.refresh(tokens.refresh, script), isRefused);
  await assert.rejects(accounts.refresh(one.refresh, script), isRefused, 'the session is over');
  await assert.rejects(accounts.identify(one.access, script), isSignedOut);
});

test('C-202 an older token than the one before ends the session even within the grace', async () => {
  const { tokens } = await signIn();
  const next = await accounts.refresh(tokens.refresh, script);
  const last = await accounts.refresh(next.refresh, script);
  await assert.rejects(accounts.refresh(tokens.refresh, script), isRefused);
  await assert.rejects(accounts.identify(last.access, script), isSignedOut);
});

/** Any token so far may be shown again at any time: by the tab that has it, a slower one, or a thief. */
const step = fc.record({
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12_000 }), fc.constant(dayMs)),
  back: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constant(1) },
    fc.nat(3),
  ),
});

test('C-202 model: tabs that refresh are never thrown out, a thief always ends the session', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      const { tokens } = await signIn();
      const pairs: { tokens: TokenPair; bornMs: number }[] = [{ tokens, bornMs: clock.now() }];
      const bornMs = clock.now();
      let lives = true;
      for (const { waitMs, back } of steps) {
        clock.advance(waitMs);
        const shown = Math.max(0, pairs.length - 1 - back);
        const newest = pairs.length - 1;
        const sinceNewestMs = clock.now() - pairs[newest]!.bornMs;
        // A script's session ends after a day, whatever was refreshed.
        const inTime = clock.now() - bornMs < dayMs;
        const isGood = shown === newest || (shown === newest - 1 && sinceNewestMs <= 10_000);
        const refreshed = accounts.refresh(pairs[shown]!.tokens.refresh, script);
        if (!lives || !inTime || !isGood) {
          await assert.rejects(refreshed, isRefused);
          lives = false;
          await assert.rejects(
            accounts.identify(pairs[newest]!.tokens.access, script),
            isSignedOut,
          );
        } else if (shown === newest) {
          pairs.push({ tokens: await refreshed, bornMs: clock.now() });
        } else assert.deepEqual(await refreshed, pairs[newest]!.tokens);
      }
    }),
    { numRuns: 40 },
  );
});

test('~NSH-003 a session of a script lives 24 h, however often it is refreshed', async () => {
  const issued = await signIn(script, true);
  const tokens = await usedFor(dayMs - 1, {
    tokens: issued.tokens,
    client: script,
    everyMs: 20 * minuteMs,
  });
  clock.advance(1);
  await assert.rejects(accounts.refresh(tokens.refresh, script), isRefused);
  await assert.rejects(accounts.identify(tokens.access, script), isSignedOut);
});

test('=SES-005, C-204 remembered: 30 days for users who keep coming back, and a cookie that stays', async () => {
  const issued = await signIn(browser, true);
  assert.equal(issued.cookie?.maxAgeS, 30 * 24 * 60 * 60);
  const client = browserOf(issued);
  await longestIdle(issued.user.id);
  const everyMs = 235 * minuteMs;
  assert.deepEqual(await accounts.security.sessionLimits(), { inactive_minutes: 240, days: 30 });
  const tokens = await usedFor(30 * dayMs - 1, { tokens: issued.tokens, client, everyMs });
  await accounts.identify(tokens.access, script); // the access token is enough on its own
  clock.advance(1);
  await assert.rejects(accounts.refresh(tokens.refresh, client), isRefused, '30 days');
});

test('=SES-005 not remembered: the cookie ends with the browser, and without it nothing opens', async () => {
  const issued = await signIn(browser, false);
  assert.equal(issued.cookie?.maxAgeS, null);
  const client = browserOf(issued);
  await accounts.identify(issued.tokens.access, client);
  await assert.rejects(accounts.identify(issued.tokens.access, browser), isSignedOut);
  await assert.rejects(accounts.identify(issued.tokens.access, script), isSignedOut);
  clock.advance(dayMs);
  await assert.rejects(accounts.refresh(issued.tokens.refresh, client), isRefused);
});

test('C-203 a refresh token taken from a browser is useless elsewhere, and ends the session', async () => {
  for (const thief of [script, browser, { ...browser, cookie: `nzc_${'A'.repeat(43)}` }]) {
    const issued = await signIn(browser, true);
    await assert.rejects(accounts.refresh(issued.tokens.refresh, thief), isRefused);
    await assert.rejects(accounts.refresh(issued.tokens.refresh, browserOf(issued)), isRefused);
    await assert.rejects(accounts.identify(issued.tokens.access, browserOf(issued)), isSignedOut);
  }
});

test('C-201, C-208 only hashes of tokens are kept, and no kind passes for another', async () => {
  const issued = await signIn(browser, true);
  const client = browserOf(issued);
  const { access, refresh } = issued.tokens;
  const dump = await sql<{ row: string }>`
    select session::text || session_token::text as row
    from session join session_token on session_token.session_id = session.id
  `.execute(database.db.read());
  const text = dump.rows.map(({ row }) => row).join('\n');
  for (const token of [access, refresh, issued.cookie!.value]) {
    const secret = token.slice(4);
    assert.equal(Buffer.from(secret, 'base64url').length, 32, '256 bits');
    assert.ok(!text.includes(secret));
    assert.ok(!text.includes(Buffer.from(secret, 'base64url').toString('hex')));
  }
  for (const wrong of [refresh, issued.cookie!.value, refresh.replace('nzr', 'nza'), 'nza_', '']) {
    await assert.rejects(accounts.identify(wrong, client), isSignedOut);
  }
  for (const wrong of [access, issued.cookie!.value, access.replace('nza', 'nzr'), 'nzr_', '']) {
    await assert.rejects(accounts.refresh(wrong, client), isRefused);
  }
  await accounts.identify(access, client);
});

test('C-206 an eleventh session ends the oldest', async () => {
  const { email, tokens } = await signIn();
  for (let more = 0; more < 9; more += 1) {
    clock.advance(1);
    await accounts.login({ email, password, remember: false }, script);
  }
  await accounts.identify(tokens.access, script);
  clock.advance(1);
  await accounts.login({ email, password, remember: false }, script);
  await assert.rejects(accounts.identify(tokens.access, script), isSignedOut);
});

test('C-206 the last of several sessions that began in one millisecond stays', async () => {
  const { email } = await signIn();
  const login = () => accounts.login({ email, password, remember: false }, script);
  for (let more = 0; more < 10; more += 1) await login();
  const last = await login();
  assert.ok('tokens' in last);
  await accounts.identify(last.tokens.access, script);
});

test('C-117 a disabled account opens nothing: no access, no refresh, no login', async () => {
  const { email, tokens } = await signIn();
  await sql`update app_user set is_active = false where email = ${email}`.execute(
    database.db.write(),
  );
  await assert.rejects(accounts.identify(tokens.access, script), isSignedOut);
  await assert.rejects(accounts.refresh(tokens.refresh, script), isRefused);
  const login = accounts.login({ email, password, remember: false }, script);
  await assert.rejects(login, { code: 'invalid_credentials' });
});

test('C-111 a password set from the console ends every session, and the old one opens nothing', async () => {
  const { email, tokens } = await signIn();
  const ended: string[] = [];
  using _reader = accounts.sessionEnded.on(({ sessionId }) => ended.push(sessionId));
  await accounts.resetPassword(email.toUpperCase(), 'another-horse-8-staple');
  await assert.rejects(accounts.identify(tokens.access, script), isSignedOut);
  assert.equal(ended.length, 1);
  const login = (secret: string) =>
    accounts.login({ email, password: secret, remember: false }, script);
  await assert.rejects(login(password), { code: 'invalid_credentials' });
  await login('another-horse-8-staple');
});

test('C-209 sessions are in the database: a restarted server knows them', async () => {
  const { tokens } = await signIn();
  const restarted = anAccounts();
  await restarted.identify(tokens.access, script);
  const next = await restarted.refresh(tokens.refresh, script);
  assert.deepEqual(await accounts.refresh(tokens.refresh, script), next);
});

test('tokens that expired are cleared away, those that live stay', async () => {
  const { tokens } = await signIn();
  clock.advance(11 * 60_000);
  await accounts.deleteExpiredTokens();
  await accounts.refresh(tokens.refresh, script);
  clock.advance(31 * dayMs);
  await accounts.deleteExpiredTokens();
  const { rows } = await sql`select 1 from session_token`.execute(database.db.read());
  assert.equal(rows.length, 0);
});
