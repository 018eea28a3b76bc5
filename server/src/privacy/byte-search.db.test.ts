/**
 * C-1003, proven the hard way: a PostgreSQL of its own as the product runs it, and after the job every file
 * of it is searched for the bytes of the person who was erased: what was typed, pictures, vectors, keys.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { ClientEntry } from '@nazar/contract/activity.ts';
import { ActivityLog } from '#activity/activity.ts';
import { AlertStore } from '#alerts/store.ts';
import { Database } from '#db/database.ts';
import { newClient } from '#db/connection.ts';
import { migrate } from '#db/migrations.ts';
import { EmbeddedPostgres } from '#db/postgres.ts';
import type { Scope } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import { anEvaluation } from '#testing/alerts.ts';
import { testPatienceMs } from '#testing/database.ts';
import { aPrivacy, type TestPrivacy } from '#testing/privacy.ts';
import { until } from '#testing/until.ts';
import { aPicture, aVector, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';

const password = 'correct-horse-7-staple';
let folder: string;
let postgres: EmbeddedPostgres;
let world: World;
let privacy: TestPrivacy;
let admin: Scope;
let log: ActivityLog;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-bytes-'));
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'logs'));
  postgres = await EmbeddedPostgres.start({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'logs', 'postgres.log'),
    clock: systemClock,
    log: quietLog,
    ballast: false,
  });
  const client = newClient(postgres.connection('postgres'));
  await client.connect();
  await client.query('create database nazar');
  await client.end();
  const target = postgres.connection('nazar');
  await migrate(target);
  const db = new Database(target, systemClock, quietLog, testPatienceMs);
  const close = (): Promise<void> => db[Symbol.asyncDispose]();
  world = await aWorld({ db, target, url: '', [Symbol.asyncDispose]: close });
  privacy = aPrivacy(world);
  admin = await world.actor('superadmin');
  const { activity, clock } = world;
  log = new ActivityLog({ db, activity, clock, development: false });
});
after(async () => {
  await world[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  privacy[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Files of the database, its log and its messages with any of these bytes. */
function search(...markers: readonly Buffer[]): string[] {
  const roots = [join(folder, 'postgres', 'data'), join(folder, 'logs'), privacy.folder];
  const files = roots
    .flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }))
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((path) => {
    const bytes = bytesOf(path);
    return markers.some((marker) => bytes.includes(marker));
  });
}

/** PostgreSQL removes files while we walk. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

const typed = (): string => randomBytes(12).toString('hex');
const checkpoint = () => sql`checkpoint`.execute(world.database.db.write());

/** A person with a face, seen and written about; every byte string that must not outlive them. */
async function enrolled(owner: Scope, look: number) {
  world.clock.advance(1);
  const words = { first_name: typed(), notes: typed(), email: `${typed()}@example.org` };
  const { id, identityId } = await world.person(owner, words.first_name, look);
  await world.faces.change(owner, id, { notes: words.notes, email: words.email });
  const camera = await world.camera(admin);
  const template = Float32Array.from(randomBytes(128));
  const picture = { ...aPicture(look), chip: randomBytes(64), template };
  await world.visits.write(aVisit(camera, world.clock.now(), { identityId, picture }));
  const { rows } = await sql<{ data_key: Buffer; sealed: Buffer }>`
    select data_key, chip as sealed from identity join visit_picture on identity_id = identity.id
    where identity.id = ${identityId}`.execute(world.database.db.read());
  const [{ data_key, sealed } = { data_key: Buffer.of(), sealed: Buffer.of() }] = rows;
  return {
    id,
    identityId,
    words: Object.values(words).map((word) => Buffer.from(word)),
    keys: [data_key],
    sealed,
    // Never on the disk at all: they are sealed before they are written.
    plain: [picture.chip, Buffer.from(template.buffer)],
  };
}

test('C-1003 after the job no file of the database, its log and its statistics has a byte of them', async () => {
  const owner = await world.actor('user');
  const one = await enrolled(owner, 1);
  const other = await enrolled(owner, 2);
  // What autovacuum does by itself, and what a server that ran for a while has on its disk.
  await sql`analyze`.execute(world.database.db.write());
  await checkpoint();
  for (const marker of [one.words[1]!, ...one.keys]) {
    assert.notDeepEqual(search(marker), [], 'the search finds what is there');
  }
  assert.deepEqual(search(...one.plain, ...other.plain), [], 'C-1002 nothing is kept unsealed');
  const running = privacy.start();
  await assert.rejects(running.erase(owner, one.id, { password: 'wrong' }, null), {
    code: 'password_wrong',
  });
  await assert.rejects(running.erase(await world.actor('user'), one.id, { password }, null), {
    code: 'face_delete_forbidden',
  });
  await running.erase(owner, one.id, { password }, null);
  await running.runErasures();
  const { results } = await running.list(admin, { page: 1, page_size: 1 });
  const { tables_clean, statistics_clean, log_clean } = results[0]!.certificate!;
  assert.deepEqual([tables_clean, statistics_clean, log_clean], [true, true, true]);
  assert.deepEqual(search(...one.words, ...one.keys, ...one.plain), []);
  assert.notDeepEqual(search(other.words[0]!), [], 'others are still there');
});

test('C-1003 nor a byte of the identities they had before they were enrolled: an unknown person, and a single visit', async () => {
  const camera = await world.camera(admin);
  const seen = async (quality: number) => {
    world.clock.advance(60_000);
    const picture = { ...aPicture(40, quality), chip: randomBytes(64) };
    const visit = aVisit(camera, world.clock.now(), { picture });
    const { identityId } = await world.visits.write(visit);
    const { rows } = await sql<{ data_key: Buffer; vector: Buffer | null }>`
      select data_key, vector from identity left join stranger_reference on identity_id = identity.id
      where identity.id = ${identityId}`.execute(world.database.db.read());
    return { identityId, plain: picture.chip, ...rows[0]! };
  };
  const [stranger, single] = [await seen(0.9), await seen(0.2)];
  const { id } = await world.person(admin, typed(), 40);
  await checkpoint();
  const kept = [stranger.data_key, stranger.vector!, single.data_key];
  for (const marker of kept)
    assert.notDeepEqual(search(marker), [], 'the search finds what is there');
  const running = privacy.start();
  const { results, version } = await running.unknownMatches(admin, id);
  const unknown = results.filter(({ is_same }) => is_same).map((one) => one.id);
  assert.deepEqual(new Set(unknown), new Set([stranger.identityId, single.identityId]));
  await running.erase(admin, id, { password, unknown, unknown_version: version }, null);
  await running.runErasures();
  assert.deepEqual(search(...kept, stranger.plain, single.plain), []);
});

test('C-1003 nor a byte of how a camera of an ended account saw a stranger whom others saw too', async () => {
  const owner = await world.actor('user');
  const references = [];
  for (const scope of [owner, admin]) {
    const camera = await world.camera(scope);
    world.clock.advance(60_000);
    const template = aVector(30).map((x) => (scope === owner ? x : x * 1.3));
    const picture = { ...aPicture(30), template };
    const visit = aVisit(camera, world.clock.now(), { picture });
    await world.visits.write(visit);
    const { rows } = await sql<{ vector: Buffer }>`
      select vector from stranger_reference where visit_id = ${visit.id}`.execute(
      world.database.db.read(),
    );
    references.push(rows[0]!.vector);
  }
  // Models are being changed: the vector of another pack lies beside.
  const beside = randomBytes(64);
  await sql`
    update stranger_reference set other_pack = 'other@1', other_vector = ${beside}
    where vector = ${references[0]!}`.execute(world.database.db.write());
  await checkpoint();
  const [own, others] = references;
  for (const marker of [own!, beside]) {
    assert.notDeepEqual(search(marker), [], 'the search finds what is there');
  }
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
  world.clock.advance(24 * 60 * 60_000);
  await privacy.start().runErasures();
  assert.deepEqual(search(own!, beside), []);
  assert.notDeepEqual(search(others!), [], 'what others saw is still there');
});

/** What a client of that user says of itself; the words of it. */
async function note(scope: Scope, about: Partial<ClientEntry> = {}): Promise<Buffer> {
  const description = typed();
  await log.add(scope, { action: 'view', description, ...about }, 'en');
  return Buffer.from(description);
}

test('C-1003 clients’ notes about a person go with them, and all that an account noted with the account', async () => {
  const owner = await world.actor('user');
  const person = await enrolled(owner, 4);
  const about = await note(owner, { content_type: 'face', object_id: person.id });
  const own = await note(owner, { id: typed(), network: { name: typed() } });
  const others = await note(admin);
  await sql`analyze`.execute(world.database.db.write());
  await checkpoint();
  for (const words of [about, own]) assert.notDeepEqual(search(words), []);
  const running = privacy.start();
  await running.erase(owner, person.id, { password }, null);
  await running.runErasures();
  assert.deepEqual(search(about), []);
  assert.notDeepEqual(search(own), []);
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
  world.clock.advance(24 * 60 * 60_000);
  await running.runErasures();
  const [erasure] = (await running.list(admin, { page: 1, page_size: 1 })).results;
  assert.deepEqual([erasure?.subject, erasure?.certificate?.notes], ['account', 2]);
  assert.deepEqual(search(own), []);
  assert.notDeepEqual(search(others), [], 'others’ words are still there');
});

/** Closes what rules made of the visits of these people; what the user noted of each, by their identity. */
async function closed(by: Scope, identityIds: readonly string[]): Promise<Map<string, Buffer>> {
  const store = new AlertStore(world.database.db);
  const notes = new Map<string, Buffer>();
  const { rows } = await sql<{ id: string; identity_id: string }>`
    select alert.id, counted.identity_id from alert join alert_visit counted on counted.alert_id = alert.id
     where alert.status = 'new' and counted.identity_id = any(${[...identityIds]})`.execute(
    world.database.db.read(),
  );
  for (const { id, identity_id } of rows) {
    const text = typed();
    notes.set(identity_id, Buffer.from(text));
    const how = { status: 'resolved', notes: text, by: by.userId, at: new Date() } as const;
    await store.transaction((tx) => store.close(tx, id, how));
  }
  return notes;
}

test('C-1003 nor a byte of what users noted on alerts that they were in, or that the account noted; the alerts stay, nameless', async () => {
  const owner = await world.actor('user');
  await using evaluation = anEvaluation(world);
  const categories = (await world.faces.categories.list()).map(({ id }) => id);
  await evaluation.rules({ kind: 'watched_person', categories });
  const [one, other] = [await enrolled(owner, 50), await enrolled(owner, 51)];
  await evaluation.runner.run();
  const notes = await closed(owner, [one.identityId, other.identityId]);
  assert.equal(notes.size, 2, 'each has an alert');
  const [ofOne, ofOther] = [notes.get(one.identityId)!, notes.get(other.identityId)!];
  await sql`analyze`.execute(world.database.db.write());
  await checkpoint();
  for (const note of [ofOne, ofOther]) assert.notDeepEqual(search(note), []);
  const running = privacy.start();
  await running.erase(owner, one.id, { password }, null);
  await running.runErasures();
  assert.deepEqual(search(ofOne, ...one.words, ...one.keys), []);
  assert.notDeepEqual(search(ofOther), [], 'what was noted of others is still there');
  const [erasure] = (await running.list(admin, { page: 1, page_size: 1 })).results;
  assert.deepEqual(erasure?.certificate?.notes, 1);
  const alerts = (await evaluation.alerts()).filter(
    ({ resolved_by }) => resolved_by === owner.userId,
  );
  assert.deepEqual(
    alerts.map(({ status, count }) => [status, count]),
    [
      ['resolved', 1],
      ['resolved', 1],
    ],
  );
  assert.ok(!JSON.stringify(alerts).includes(one.id), 'no alert names the person');
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
  world.clock.advance(24 * 60 * 60_000);
  await running.runErasures();
  assert.deepEqual(search(ofOther), [], 'the words of an account go with it');
});

test('C-1003 nor a byte of the searches that an account saved: a term may be a person’s name', async () => {
  const owner = await world.actor('user');
  const [own, others] = [typed(), typed()];
  for (const [scope, term] of [
    [owner, own],
    [admin, others],
  ] as const) {
    await sql`
      insert into activity_saved_search
        (id, user_id, name, term, content_type, target_id, ip, saved_at)
      values (gen_random_uuid(), ${scope.userId}, ${term}, ${term}, '', '', '', now())`.execute(
      world.database.db.write(),
    );
  }
  await sql`analyze`.execute(world.database.db.write());
  await checkpoint();
  assert.notDeepEqual(search(Buffer.from(own)), []);
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
  world.clock.advance(24 * 60 * 60_000);
  await privacy.start().runErasures();
  assert.deepEqual(search(Buffer.from(own)), []);
  assert.notDeepEqual(search(Buffer.from(others)), [], 'what others saved is still there');
});

test('C-1003 while a reader still sees an account’s words it waits, too', async () => {
  const owner = await world.actor('user');
  const own = await note(owner);
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
  world.clock.advance(24 * 60 * 60_000);
  const reader = newClient(world.database.target);
  await reader.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select from activity_note');
  const running = privacy.start();
  await running.runErasures();
  const state = async () =>
    (await running.list(admin, { page: 1, page_size: 1 })).results[0]?.state;
  assert.equal(await state(), 'cleaning');
  await reader.query('commit');
  await reader.end();
  await until(async () => {
    await running.runErasures();
    return (await state()) === 'done';
  });
  assert.deepEqual(search(own), []);
});

test('C-1003 while a reader still sees them it waits, and says it is not done', async () => {
  const person = await enrolled(admin, 3);
  const reader = newClient(world.database.target);
  await reader.connect();
  await reader.query('begin isolation level repeatable read');
  await reader.query('select from person');
  const running = privacy.start();
  await running.erase(admin, person.id, { password }, null);
  await running.runErasures();
  const [waiting] = (await running.list(admin, { page: 1, page_size: 1 })).results;
  assert.deepEqual([waiting?.state, waiting?.certificate], ['cleaning', null]);
  await reader.query('commit');
  await reader.end();
  await until(async () => {
    await running.runErasures();
    return (await running.list(admin, { page: 1, page_size: 1 })).results[0]?.state === 'done';
  });
  assert.deepEqual(search(...person.words, ...person.keys), []);
});

test('C-1004 killed at any moment, it is finished by the next process and nothing is left', async () => {
  const owner = await world.actor('user');
  const people = [];
  for (let look = 10; look < 22; look += 1) people.push(await enrolled(owner, look));
  await world.accounts.own.delete({ ...owner, ip: '' }, { password }, null);
  world.clock.advance(24 * 60 * 60_000);
  const { host = '', user = '', database = '' } = world.database.target;
  const script = join(import.meta.dirname, '../testing/erase-process.ts');
  const words = [script, host, user, database, privacy.folder, String(world.clock.now())];
  let kills = 0;
  for (let pauseMs = 0, ended = false; !ended; pauseMs += 60) {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    await systemClock.wait(pauseMs);
    ended = !child.kill('SIGKILL');
    const [code] = (await exited) as [number | null];
    if (code === 0) ended = true;
    else kills += 1;
  }
  assert.ok(kills >= 3, `${kills} kills`);
  assert.deepEqual(search(...people.flatMap((person) => [...person.words, ...person.keys])), []);
  const subjects = [owner.userId, ...people.map(({ id }) => id)];
  const { rows } = await sql<{ open: number; done: number }>`
    select count(*) filter (where cleaned_at is null) as open,
           count(*) filter (where subject_id = any(${subjects}::uuid[])) as done from erasure`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows[0], { open: 0, done: 13 });
});
