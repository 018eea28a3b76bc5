import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Problem } from '#lib/problem.ts';
import { SecretKey } from '#lib/secrets.ts';
import { accountsOn } from '#testing/accounts.ts';
import { aClock, type StoppedClock } from '#testing/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { lightHashes } from '#testing/hash-cost.ts';
import { testServer } from '#testing/server.ts';
import { type Accounts, standingOf, type HashCost } from '../accounts.ts';
import type { Client } from '../sessions/sessions.ts';

const password = 'correct-horse-7-staple';
const guess = 'wrong-horse-8-staple';
let database: TestDatabase;
let clock: StoppedClock;
let accounts: Accounts;
const key = SecretKey.random();
let users = 0;
let networks = 0;

before(async () => {
  database = await testDatabase();
  clock = aClock();
  accounts = anAccounts();
});

/** The module on this database; again: after a restart. */
function anAccounts(hashCost?: HashCost): Accounts {
  return accountsOn(database.db, { clock, key, hashCost });
}
after(() => database[Symbol.asyncDispose]());

async function aUser(): Promise<string> {
  const email = `user-${(users += 1)}@example.org`;
  await accounts.createUser({ email, password, firstName: 'A', lastName: 'B', role: 'user' });
  return email;
}

/** A user on a network of their own. */
function aClient(ip = `198.51.${(networks += 1)}.7`): Client {
  return { isBrowser: false, cookie: undefined, ip, userAgent: 'test' };
}

/** The code of the refusal; null when it opened. */
async function login(
  email: string,
  secret: string,
  client: Client,
  on = accounts,
): Promise<string | null> {
  try {
    await on.login({ email, password: secret, remember: false }, client);
    return null;
  } catch (error) {
    assert.ok(error instanceof Problem);
    if (error.code === 'too_many_requests') assert.ok(Number(error.params['retry_after_s']) >= 1);
    return error.code;
  }
}

test('C-104 1,000 guesses over 10 minutes against one account: 25 at most reach the hash', async () => {
  const email = await aUser();
  let hashed = 0;
  for (let tried = 0; tried < 1_000; tried += 1) {
    // From everywhere, so that only the account counts.
    const answer = await login(email, guess, aClient(`198.${tried % 200}.${tried % 250}.1`));
    if (answer === 'invalid_credentials') hashed += 1;
    clock.advance(600);
  }
  assert.ok(hashed >= 5 && hashed <= 25, `${hashed}`);
  clock.advance(15 * 60_000);
  assert.equal(await login(email, password, aClient()), null, 'no lock is for ever');
});

test('C-104 a hundred guesses at once are no more than five', async () => {
  const email = await aUser();
  const client = aClient();
  const answers = await Promise.all(Array.from({ length: 100 }, () => login(email, guess, client)));
  assert.equal(answers.filter((answer) => answer === 'invalid_credentials').length, 5);
  const others = answers.filter((answer) => answer !== 'invalid_credentials');
  assert.ok(others.every((answer) => answer === 'too_many_requests'));
});

test('C-104 twenty failures a minute for a network, and a /64 of IPv6 is one', async () => {
  const light = anAccounts(lightHashes);
  const hashed = async (address: (n: number) => string): Promise<number> => {
    let count = 0;
    for (let tried = 0; tried < 30; tried += 1) {
      const client = aClient(address(tried));
      const answer = await login(`nobody-${tried}@example.org`, guess, client, light);
      if (answer === 'invalid_credentials') count += 1;
    }
    return count;
  };
  assert.equal(await hashed((n) => `2001:db8:1:2::${n.toString(16)}`), 20);
  assert.equal(await hashed((n) => `203.0.113.${n}`), 20);
  assert.equal(await hashed((n) => `::ffff:203.0.113.${n}`), 0, 'the same network in other words');
  clock.advance(60_000);
  assert.equal(await hashed((n) => `203.0.113.${n}`), 20);
});

test('C-104 a hundred guesses at once from one network are no more than twenty', async () => {
  const client = aClient();
  const guesses = Array.from({ length: 100 }, (_, n) =>
    login(`at-once-${n}@example.org`, guess, client),
  );
  const hashed = (await Promise.all(guesses)).filter((answer) => answer === 'invalid_credentials');
  assert.ok(hashed.length <= 20, `${hashed.length}`);
});

test('R-20 C-104 a network that waits is refused without a question to the database', async () => {
  const client = aClient();
  for (let tried = 0; tried < 21; tried += 1) {
    await login(`flood-${tried}@example.org`, guess, client);
  }
  await database.db.transaction(async (tx) => {
    await sql`lock table throttle, app_user, session in access exclusive mode`.execute(tx.as());
    assert.equal(await login('flood@example.org', guess, client), 'too_many_requests');
  });
  clock.advance(60_000);
  assert.equal(await login('flood@example.org', guess, client), 'invalid_credentials');
});

test('C-104 over all networks 300 failures a minute, and who signed in from there before goes on', async () => {
  const [here, elsewhere] = ['2001:db8:77::1', '2001:db8:78::1'];
  const light = anAccounts(lightHashes);
  const email = await aUser();
  assert.equal(await login(email, password, aClient(here), light), null);
  let hashed = 0;
  for (let tried = 0; tried < 320; tried += 1) {
    const answer = await login(
      `n-${tried}@example.org`,
      guess,
      aClient(`100.64.${tried % 256}.${tried}`),
      light,
    );
    if (answer === 'invalid_credentials') hashed += 1;
  }
  assert.ok(hashed <= 300 && hashed > 200, `${hashed}`);
  assert.equal(await login(email, password, aClient(elsewhere), light), 'too_many_requests');
  assert.equal(await login(await aUser(), password, aClient(here), light), 'too_many_requests');
  assert.equal(
    await login(email, password, aClient('2001:db8:77::2'), light),
    null,
    'the same network',
  );
  assert.equal(
    await login(await aUser(), password, aClient('127.0.0.1'), light),
    null,
    'this machine',
  );
  clock.advance(60_000);
  assert.equal(await login(email, password, aClient(elsewhere), light), null);
});

test('C-104 an account of one’s own buys no guesses at others’', async () => {
  const own = await aUser();
  const client = aClient();
  let hashed = 0;
  for (let tried = 0; tried < 60; tried += 1) {
    const email = tried % 4 === 3 ? own : `victim-${tried}@example.org`;
    const answer = await login(email, email === own ? password : guess, client);
    if (answer === 'invalid_credentials') hashed += 1;
  }
  assert.equal(hashed, 20);
});

test('C-104 success forgets the failures of the account: yesterday’s slip costs nothing', async () => {
  const email = await aUser();
  const client = aClient();
  for (let round = 0; round < 3; round += 1) {
    for (let slip = 0; slip < 4; slip += 1) await login(email, guess, client);
    assert.equal(await login(email, password, client), null);
  }
});

test('C-106 a restart gives no one new guesses, and the table is no list of who has an account', async () => {
  const email = await aUser();
  const client = aClient();
  for (let tried = 0; tried < 5; tried += 1) await login(email, guess, client);
  const restarted = anAccounts();
  assert.equal(await login(email, password, client, restarted), 'too_many_requests');
  const { rows } = await sql<{ key: string }>`select key from throttle`.execute(database.db.read());
  assert.ok(rows.every(({ key }) => !key.includes(email)));
});

test('C-108, SES-013 unknown, wrong and disabled are refused alike, and all count', async () => {
  const [known, disabled] = [await aUser(), await aUser()];
  await sql`update app_user set is_active = false where email = ${disabled}`.execute(
    database.db.write(),
  );
  for (const [email, secret] of [
    [known, guess],
    ['nobody@example.org', password],
    [disabled, password],
  ] as const) {
    const client = aClient();
    for (let tried = 0; tried < 5; tried += 1) {
      assert.equal(await login(email, secret, client), 'invalid_credentials', email);
    }
    assert.equal(await login(email, secret, client), 'too_many_requests', email);
  }
});

test('C-107 while the hashes are busy others get an answer at once, and no failure is counted', async () => {
  // 34 fit in at a time; some of them are done while the last ones still arrive.
  const emails = Array.from({ length: 120 }, (_, n) => `crowd-${n}@example.org`);
  const answers = await Promise.all(
    emails.map((email) => login(email, guess, aClient('127.0.0.1'))),
  );
  const refused = emails.filter((_, n) => answers[n] === 'too_many_requests');
  assert.ok(refused.length > 0);
  assert.ok(answers.every((answer) => /^(too_many_requests|invalid_credentials)$/.test(answer!)));
  // A guess that was refused unread costs nothing: five more are still free.
  for (let time = 0; time < 5; time += 1) {
    assert.equal(await login(refused[0]!, guess, aClient('127.0.0.1')), 'invalid_credentials');
  }
});

test('C-102 no password stands in a dump, and a weaker hash is renewed at the next login', async () => {
  const email = await aUser();
  const dump = async (): Promise<string> => {
    const { rows } = await sql<{ row: string }>`select app_user::text as row from app_user`.execute(
      database.db.read(),
    );
    return rows.map(({ row }) => row).join('\n');
  };
  assert.ok(!(await dump()).includes(password));
  assert.match(await dump(), /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  // 8 MiB, one pass: as an older version might have kept it.
  const { argon2Sync, randomBytes } = await import('node:crypto');
  const nonce = randomBytes(16);
  const weak = { message: password, nonce, memory: 8192, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', weak);
  const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  const phc = `$argon2id$v=19$m=8192,t=1,p=1$${base64(nonce)}$${base64(tag)}`;
  await sql`update app_user set password_hash = ${phc} where email = ${email}`.execute(
    database.db.write(),
  );
  assert.equal(await login(email, password, aClient()), null);
  assert.ok(!(await dump()).includes('m=8192'));
  assert.equal(await login(email, password, aClient()), null);
});

test('C-102 a whole server that is given no cost keeps hashes of the full one', async () => {
  await using world = await testServer({ hashCost: undefined });
  await world.signIn('superadmin');
  const { rows } = await sql<{ hash: string }>`select password_hash as hash from app_user`.execute(
    world.database.db.read(),
  );
  assert.ok(rows.length > 0);
  for (const { hash } of rows) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('~CFL-001, ~CFL-002 the database refuses flags that disagree with the role', async () => {
  const wrong: [string, boolean, boolean][] = [
    ['superadmin', true, false],
    ['superadmin', false, true],
    ['superadmin', false, false],
    ['admin', false, false],
    ['admin', true, true],
    ['operator', true, true],
    ['user', false, true],
    ['owner', true, true],
  ];
  for (const [role, staff, superuser] of wrong) {
    const insert = sql`
      insert into app_user (id, email, first_name, last_name, role, is_staff, is_superuser, password_hash, created_at)
      values (gen_random_uuid(), 'wrong@example.org', 'A', 'B', ${role}, ${staff}, ${superuser}, '-', now())
    `.execute(database.db.write());
    await assert.rejects(insert, /check constraint/, `${role} ${staff} ${superuser}`);
  }
});

test('CFL-003 staff that do not administer see all and are a standing of their own', () => {
  assert.equal(standingOf({ role: 'user', is_staff: true }), 'staff');
  assert.equal(standingOf({ role: 'operator', is_staff: true }), 'staff');
  assert.equal(standingOf({ role: 'admin', is_staff: true }), 'admin');
  assert.equal(standingOf({ role: 'user', is_staff: false }), 'user');
});

test('an address belongs to one account, however it is written', async () => {
  const email = await aUser();
  const again = {
    email: email.toUpperCase(),
    password,
    firstName: 'A',
    lastName: 'B',
    role: 'user',
  } as const;
  await assert.rejects(accounts.createUser(again), { code: 'email_taken' });
});
