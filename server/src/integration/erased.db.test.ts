/**
 * C-1003 over the whole server: a person who was searched for, counted, corrected, written about and part of what
 * failed is, once erased, in no table of the logs. `privacy/byte-search.db.test.ts` searches the files, indexes included.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FaceFields } from '@nazar/contract/faces.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { createLog, LogLines } from '#lib/log.ts';
import { testPassword, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm, aSeenFace, aVisit } from '#testing/world.ts';

const printed: string[] = [];
const logs = '/secure-api/activity-log/';

let world: TestServer;
let admin: SignedIn;

before(async () => {
  const logLines = new LogLines();
  const log = createLog('trace', { write: (line) => printed.push(line) }, logLines);
  world = await testServer({ log, logLines });
  admin = await world.signIn('superadmin');
});
after(() => world[Symbol.asyncDispose]());

const scopeOf = ({ id, email }: SignedIn) =>
  createScope({ userId: id, email, sessionId: id, standing: 'superadmin' }, noGrants);

interface Enrolled {
  readonly id: string;
  readonly name: string;
  readonly visits: readonly string[];
}

/** Seen three times; what they are called is in no text by chance. */
async function enrolled(look: number): Promise<Enrolled> {
  const { server, clock } = world;
  const name = `Canary${randomBytes(8).toString('hex')}`;
  const [category] = await server.faces.categories.list();
  const fields = { first_name: name, last_name: 'Example', category: category!.id };
  const { id } = await server.faces.add(
    scopeOf(admin),
    FaceFields.parse(fields),
    [],
    aSeenFace(look),
  );
  const { rows } = await sql<{
    id: string;
  }>`select id from identity where person_id = ${id}`.execute(world.database.db.read());
  const camera = await server.cameras.add(scopeOf(admin), aCameraForm({ name: `Gate ${look}` }));
  const visits = [];
  for (let minute = 3; minute > 0; minute -= 1) {
    const visit = aVisit(camera.id, clock.now() - minute * 60_000, { identityId: rows[0]!.id });
    visits.push((await server.visits.write(visit)).id);
  }
  return { id, name, visits };
}

async function done(
  reply: Promise<{ status: number; text: string }>,
  status = 200,
): Promise<string> {
  const { status: answered, text } = await reply;
  assert.equal(answered, status, text);
  return text;
}

/** Everything the logs are asked about a person, and their answers. */
async function leaveTraces({ id, name, visits }: Enrolled): Promise<void> {
  const byName = `?person_name=${encodeURIComponent(`${name} Example`)}`;
  assert.ok((await done(admin.get(`${logs}face-logs/${byName}`))).includes(name));
  assert.ok((await done(admin.get(`${logs}face-logs/by-person/${byName}`))).includes(name));
  assert.ok(
    (await done(admin.get(`${logs}daily-face-logs/by-date-range/${byName}`))).includes(name),
  );
  await done(admin.get(`${logs}face-logs/counts/${byName}&by=day`));
  await done(admin.get(`${logs}activity-logs/?search=${name}`));
  await done(admin.get(`${logs}activity-logs/export/?search=${name}`));
  await done(admin.get(`${logs}system-logs/?search=${name}`));
  await done(admin.get(`/secure-api/faces/?search=${name}`));
  await done(admin.get(`/secure-api/faces/${id}/`));
  const about = { action: 'view', content_type: 'face', object_id: id };
  await done(
    admin.send('POST', `${logs}activity-logs/`, { ...about, description: `${name} came` }),
    201,
  );
  const offline = [{ ...about, id: `offline-${visits[0]!}`, additional_data: { who: name } }];
  await done(admin.send('POST', `${logs}activity-logs/sync/`, { logs: offline }));
  await done(admin.send('DELETE', `${logs}face-logs/${visits[0]!}/`), 204);
  await done(admin.send('POST', `${logs}face-logs/${visits[1]!}/not_this_person/`));
  await failWith(name);
}

/** The table is away: what PostgreSQL says of the query is an error in the log. */
async function failWith(name: string): Promise<void> {
  const { db } = world.database;
  await sql`alter table person rename to person_away`.execute(db.write());
  const reply = await admin.get(`/secure-api/faces/?search=${name}`);
  await sql`alter table person_away rename to person`.execute(db.write());
  assert.equal(reply.status, 500);
  assert.ok(await world.server.systemLog.flush());
}

/** Tables, partitions too, with these words, and how many of their rows. */
async function tablesWith(words: string): Promise<Record<string, number>> {
  const { db } = world.database;
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db.read());
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ many: number }>`
      select count(*)::integer as many from ${sql.raw(name)} t
      where position(${words} in t::text) > 0`.execute(db.read());
    if (rows[0]!.many > 0) found[name] = rows[0]!.many;
  }
  return found;
}

test('C-1003 an erased person is named in no log, and their id leads from no visit, count or line to them', async () => {
  const one = await enrolled(1);
  const other = await enrolled(2);
  await leaveTraces(one);
  await leaveTraces(other);
  const before = await tablesWith(one.name);
  assert.deepEqual(before, { activity_note: 2, person: 1 }, 'the search finds what is there');
  await done(
    admin.send('POST', `/secure-api/privacy/people/${one.id}/erase/`, {
      password: testPassword,
    }),
    202,
  );
  await until(async () => {
    await world.server.privacy.runErasures();
    return Object.keys(await tablesWith(one.name)).length === 0;
  });
  assert.deepEqual(await tablesWith(other.name), before, 'others are still there');
  // The sealed entry with what is searched of it, and the list that a restored backup needs: a random number that leads
  // to no person.
  const kept = Object.keys(await tablesWith(one.id)).toSorted();
  assert.deepEqual(kept, ['activity_detail', 'audit_entry', 'erased_identity', 'erasure']);
  for (const address of ['by-person/', '', `?person_name=${one.name}%20Example`])
    assert.ok(!(await done(admin.get(`${logs}face-logs/${address}`))).includes(one.name), address);
  assert.deepEqual(
    printed.filter((line) => line.includes(one.name)),
    [],
  );
});
