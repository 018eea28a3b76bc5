import assert from 'node:assert/strict';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { ChainVerification } from '@nazar/contract/chain-verification.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { SecretKey, signingPairOf } from '#lib/secrets.ts';
import { anActor, aChain, recorded, type TestChain } from '#testing/activity-chain.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import {
  compareReport,
  openVerification,
  pruneChain,
  Warnings,
  type Sealer,
  type Verification,
} from '../activity.ts';
import { readReport } from './report.ts';

const dayMs = 24 * 60 * 60_000;
/** More than are verified between two rests, at which the clock of a test holds the run. */
const many = 600;

let chain: TestChain;
let sealer: Sealer;
let warnings: Warnings;
let verification: Verification;
let admin: Scope;

beforeEach(async () => {
  chain = await aChain();
  sealer = chain.sealer();
  const { activity, clock } = chain;
  warnings = new Warnings({ db: chain.database.db, activity, clock, log: quietLog });
  verification = await open();
  const account = { userId: uuidv7(0), email: 'admin@example.org', sessionId: uuidv7(1) };
  admin = createScope({ ...account, standing: 'admin' }, noGrants);
});
afterEach(async () => {
  await verification[Symbol.asyncDispose]();
  await sealer[Symbol.asyncDispose]();
  await chain[Symbol.asyncDispose]();
});

function open(): Promise<Verification> {
  const { activity, clock, master, folder } = chain;
  const { db } = chain.database;
  return openVerification({ db, activity, warnings, clock, log: quietLog, master, folder });
}

/** An entry each minute. */
async function write(count: number): Promise<void> {
  for (let written = 0; written < count; written += 1) {
    chain.clock.advance(60_000);
    await chain.activity.recordAlone({ actor: anActor(), action: 'account.logout', object: null });
  }
  await sealer.seal();
}

/** The same in one go. */
async function fill(count: number): Promise<void> {
  chain.clock.advance(60_000);
  await sql`
    insert into audit_entry (id, recorded_at, source, is_mock, ip, user_agent, action, details)
    select gen_random_uuid(), ${new Date(chain.clock.now())}, 'system', false, '', '', 'account.logout', '{}'
      from generate_series(1, ${count}::integer)`.execute(chain.database.db.write());
  await sealer.seal();
}

/** An anchor at the end of what is written. */
async function anchor(): Promise<void> {
  await sealer[Symbol.asyncDispose]();
  sealer = chain.sealer();
}

async function run(): Promise<ChainVerification> {
  await verification.start(admin);
  await verification.settled();
  const { done } = await verification.state();
  assert.ok(done?.result);
  return done;
}

const fileOf = async ({ id }: Pick<ChainVerification, 'id'>): Promise<string> =>
  (await verification.file(id)).text;

test('C-803 a whole chain is reported: how many entries, since when, which anchors; the file says the same', async () => {
  const beganAt = new Date(chain.clock.now() + 60_000).toISOString();
  await write(3);
  await anchor();
  await write(2);
  const { state, done, total, result, asked_by } = await run();
  assert.deepEqual([state, done, total, asked_by], ['done', 5, 5, null]);
  assert.ok(result);
  const { whole, fault, entries, first, last, pruned, anchors, unsealed } = result;
  assert.deepEqual([whole, fault, entries, pruned, unsealed], [true, null, 5, 0, 0]);
  assert.deepEqual(first, { sequence: 1, recorded_at: beganAt });
  assert.equal(last?.sequence, 5);
  assert.equal(last.recorded_at, new Date(chain.clock.now()).toISOString());
  assert.deepEqual([anchors.count, anchors.last?.sequence], [1, 3]);
  const { publicKey } = signingPairOf(chain.master);
  const { fault: changed, report } = readReport(
    await fileOf((await verification.state()).done!),
    publicKey,
  );
  assert.equal(changed, null);
  for (const [key, value] of Object.entries(result)) {
    assert.deepEqual(report?.[key as keyof typeof report], value, key);
  }
  assert.equal(report?.asked_by, admin.userId);
  const [deed] = (await recorded(chain.database.db)).filter(
    ({ action }) => action === 'activity.verified',
  );
  assert.equal(deed?.user_id, admin.userId);
  assert.deepEqual(deed.details, { entries: 5, whole: true });
});

interface Plant {
  readonly name: string;
  readonly statements: readonly RawBuilder<unknown>[];
  readonly kind: string;
  readonly sequence: number | null;
}

const plants: readonly Plant[] = [
  {
    name: 'a changed entry',
    statements: [sql`update audit_entry set ip = '198.51.100.1' where sequence = 4`],
    kind: 'changed',
    sequence: 4,
  },
  {
    name: 'one that was removed',
    statements: [sql`delete from audit_entry where sequence = 3`],
    kind: 'missing',
    sequence: 3,
  },
  {
    name: 'the last one removed, of which an anchor knows',
    statements: [sql`delete from audit_entry where sequence = 6`],
    kind: 'cut',
    sequence: 6,
  },
];
for (const { name, statements, kind, sequence } of plants) {
  test(`C-801 C-803 ${name} is named, with its number and time, by page, file, log and warning`, async () => {
    await write(6);
    await anchor();
    const at = new Date(chain.clock.now()).toISOString();
    await chain.attack(...statements);
    const done = await run();
    const { whole, fault, last } = done.result!;
    assert.deepEqual([whole, fault?.kind, fault?.sequence], [false, kind, sequence]);
    assert.equal(last?.sequence, sequence! - 1, 'what is before it is right');
    const minute = (number: number) =>
      new Date(Date.parse(at) - (6 - number) * 60_000).toISOString();
    const expected = { changed: minute(4), missing: minute(4), cut: null }[kind];
    assert.equal(fault?.recorded_at, expected, 'the entry that stands there says its time');
    if (kind === 'missing') assert.equal(fault?.found, 4);
    if (kind === 'cut') assert.deepEqual(fault?.anchor, { sequence: 6, at });
    const { report } = readReport(await fileOf(done), signingPairOf(chain.master).publicKey);
    assert.deepEqual(report?.fault, fault);
    const deed = (await recorded(chain.database.db)).find(
      ({ action }) => action === 'activity.verified',
    );
    assert.deepEqual(deed?.details, {
      entries: sequence! - 1,
      fault: kind,
      sequence,
      whole: false,
    });
    const [warning] = await warnings.list();
    assert.deepEqual([warning?.kind, warning?.details['fault']], ['record_broken', kind]);
  });
}

test('C-802 C-803 an anchor that does not match is named: another entry stands there, or the line is not ours', async () => {
  await write(4);
  await anchor();
  const other = SecretKey.random();
  const lines = await readFile(join(chain.folder, 'anchors'), 'utf8');
  await appendFile(
    join(chain.folder, 'anchors'),
    `4 ${'0'.repeat(64)} 2026-01-15T12:00:00.000Z ${'0'.repeat(64)}\n`,
  );
  const forged = (await run()).result!;
  assert.deepEqual([forged.whole, forged.fault?.kind, forged.fault?.line], [false, 'anchor', 2]);
  assert.equal(forged.entries, 4, 'the entries themselves are right');
  assert.match(lines, /^4 /);
  // A chain that was written anew with the key, but without the anchors.
  const { sequence, mac, at } = {
    sequence: 4,
    mac: 'f'.repeat(64),
    at: '2026-01-15T12:00:00.000Z',
  };
  const words = [sequence, mac, at].join(' ');
  const key = chain.master.derive('audit');
  assert.notEqual(other.sign('x').toString('hex'), key.sign('x').toString('hex'));
  const signature = key.sign(`anchor ${words}`).toString('hex');
  await appendFile(join(chain.folder, 'anchors'), `${words} ${signature}\n`);
  const replaced = (await run()).result!;
  assert.deepEqual([replaced.fault?.kind, replaced.fault?.sequence], ['rewritten', 4]);
  assert.deepEqual(replaced.fault?.anchor, { sequence: 4, at });
});

test('C-804 the result names what cannot be verified: entries removed for their age, none of the anchors, what is not sealed', async () => {
  await write(3);
  chain.clock.advance(366 * dayMs);
  await write(2);
  const { database, master, folder, clock } = chain;
  await pruneChain({ db: database.db, master, folder, clock, days: 365 });
  await rm(join(folder, 'anchors'));
  await chain.activity.recordAlone({ actor: anActor(), action: 'account.logout', object: null });
  const { result } = await run();
  assert.ok(result);
  assert.deepEqual([result.whole, result.pruned, result.entries, result.unsealed], [true, 3, 2, 1]);
  assert.equal(result.first?.sequence, 4);
  assert.deepEqual(result.anchors, { count: 0, last: null });
});

test('C-804 entries that are removed for their age during a run are not missing', async () => {
  await fill(many);
  // More than is read ahead.
  await fill(2_400);
  const { database, master, folder, clock } = chain;
  await verification.start(admin);
  await until(() => clock.waiting > 1);
  clock.advance(366 * dayMs);
  await pruneChain({ db: database.db, master, folder, clock, days: 365 });
  await goOn();
  const { done } = await verification.state();
  assert.deepEqual([done?.result?.fault, done?.result?.whole], [null, true]);
  assert.equal(done?.result?.entries, 1, 'the last one stays');
});

/** Lets a run that rests go on to its end. */
async function goOn(): Promise<void> {
  let hasEnded = false;
  const ended = verification.settled().then(() => (hasEnded = true));
  while (!hasEnded) {
    chain.clock.advance(10_000);
    await setImmediate();
  }
  await ended;
}

test('one run at a time: who asks again is answered with the one that runs; it shows how far it is', async () => {
  await fill(many);
  const first = await verification.start(admin);
  await until(async () => ((await verification.state()).latest?.done ?? 0) > 0);
  const second = await verification.start({ ...admin, userId: uuidv7(5) });
  assert.deepEqual([second.id, second.state], [first.id, 'running']);
  assert.deepEqual([second.done, second.total, second.result], [500, many, null]);
  await goOn();
  const { latest, done } = await verification.state();
  assert.deepEqual([latest?.id, latest?.state, done?.id], [first.id, 'done', first.id]);
  assert.equal(latest?.done, many);
  assert.notEqual((await verification.start(admin)).id, first.id);
});

test('a run is cancelled; the result before it stays, with its file', async () => {
  await write(5);
  const before = await run();
  await fill(many);
  await verification.start(admin);
  await until(async () => ((await verification.state()).latest?.done ?? 0) > 0);
  const { latest, done } = await verification.cancel();
  assert.deepEqual([latest?.state, latest?.result, done?.id], ['cancelled', null, before.id]);
  assert.ok((await fileOf(before)).includes(before.id));
  await assert.rejects(verification.file(latest!.id), { code: 'not_found' });
  const again = await verification.cancel();
  assert.equal(again.latest?.state, 'cancelled', 'there is nothing to cancel');
});

test('a run that ends with the server is interrupted, also where the server died', async () => {
  await fill(many);
  await verification.start(admin);
  await verification[Symbol.asyncDispose]();
  verification = await open();
  assert.equal((await verification.state()).latest?.state, 'interrupted');
  await sql`
    insert into audit_verification (id, asked_by, began_at, state, total)
    values (${uuidv7(chain.clock.now() + 1)}, ${admin.userId}, ${new Date(chain.clock.now() + 1)}, 'running', 9)`.execute(
    chain.database.db.write(),
  );
  assert.equal((await verification.state()).latest?.state, 'running');
  verification = await open();
  assert.equal((await verification.state()).latest?.state, 'interrupted');
  await verification.start(admin);
  await goOn();
  assert.equal((await verification.state()).done?.result?.whole, true);
});

test('C-803 a forged result in the database is none: it lacks our signature', async () => {
  await write(3);
  await chain.attack(sql`delete from audit_entry where sequence = 2`);
  const broken = await run();
  await sql`update audit_verification set file = replace(file, '"whole": false', '"whole": true')`.execute(
    chain.database.db.write(),
  );
  const { latest } = await verification.state();
  assert.deepEqual([latest?.id, latest?.state, latest?.result], [broken.id, 'failed', null]);
});

test('C-803 a saved file is checked later: kept, pruned, or no longer what the chain has', async () => {
  await write(4);
  const text = await fileOf(await run());
  const { database, master, folder } = chain;
  const parts = { db: database.db, master, folder };
  const verdictOf = async (file: string, by = parts) => (await compareReport(by, file)).verdict;
  await sealer.seal();
  assert.equal(await verdictOf(text), 'kept');
  assert.equal(await verdictOf(text.replace('"entries": 4', '"entries": 5')), 'changed');
  assert.equal(await verdictOf(text.slice(0, 100)), 'no_report');
  const elsewhere = { ...parts, master: SecretKey.random() };
  assert.equal(await verdictOf(text, elsewhere), 'foreign');
  for (let at = 0; at < text.length; at += 1) {
    const flipped =
      text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
    assert.notEqual(await verdictOf(flipped), 'kept', `letter ${at}`);
  }
  await chain.attack(sql`update audit_entry set mac = sha256(mac) where sequence = 4`);
  assert.equal(await verdictOf(text), 'replaced');
  await chain.attack(sql`delete from audit_entry where sequence = 4`);
  assert.equal(await verdictOf(text), 'replaced');
});
