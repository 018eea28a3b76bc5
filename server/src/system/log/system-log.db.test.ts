/** The system log as its callers see it, over the whole server: written by the log itself. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { FaceFields } from '@nazar/contract/faces.ts';
import type {
  SystemLogCount,
  SystemLogEntry,
  SystemLogLevel,
  SystemLogSource,
} from '@nazar/contract/system-logs.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { createLog, LogLines, type Log } from '#lib/log.ts';
import { recorded } from '#testing/activity-chain.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { Activity } from '#activity/activity.ts';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import { testDatabase } from '#testing/database.ts';
import { aSeenFace, quietLog } from '#testing/world.ts';
import { reportsOfAccount } from './report-limits.ts';
import { debugMs, SourceLevels } from './source-levels.ts';
import { SystemLog } from './system-log.ts';

const path = '/secure-api/activity-log/system-logs/';
const sources = `${path}sources/`;
const reports = '/secure-api/system/browser-errors/';
const byLevel = '/secure-api/activity-log/stats/log-count-by-level/';
const dayMs = 24 * 60 * 60_000;

let world: TestServer;
let log: Log;
let admin: SignedIn;
let user: SignedIn;
let other: SignedIn;

interface Listed {
  readonly count: number;
  readonly more: boolean;
  readonly results: SystemLogEntry[];
}

before(async () => {
  const logLines = new LogLines();
  // Lines carry the hour of the machine; these, that of the world.
  const stopped = { write: (line: string) => logLines.write(atWorldTime(line)) };
  log = createLog('debug', { write: () => undefined }, stopped);
  // What the server says by itself goes elsewhere: here each line is known.
  world = await testServer({ logLines });
  await signIn('');
});
after(() => world[Symbol.asyncDispose]());

/** Sessions are over after a quarter of an hour. */
async function signIn(name: string): Promise<void> {
  admin = await world.signIn('admin', `admin${name}@example.org`);
  user = await world.signIn('user', `user${name}@example.org`);
  other = await world.signIn('operator', `other${name}@example.org`);
}

const atWorldTime = (line: string): string =>
  JSON.stringify({
    ...(JSON.parse(line) as object),
    time: new Date(world?.clock.now() ?? Date.UTC(2026, 0, 15, 12)).toISOString(),
  });

/** Says it a second later, and waits until it is written. */
async function say(write: (log: Log) => void): Promise<void> {
  world.clock.advance(1_000);
  write(log);
  assert.ok(await world.server.systemLog.flush());
}

async function list(actor: SignedIn, query = ''): Promise<Listed> {
  const reply = await actor.get(`${path}${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<Listed>();
}
const messages = ({ results }: Listed): string[] => results.map(({ message }) => message);

async function chooseLevel(source: string, level: SystemLogLevel): Promise<SystemLogSource> {
  const reply = await admin.send('PATCH', sources, { source, level });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<SystemLogSource>();
}

async function levelOf(source: string): Promise<SystemLogSource | undefined> {
  const { results } = (await admin.get(sources)).json<{ results: SystemLogSource[] }>();
  return results.find((one) => one.source === source);
}

const summed = (counts: readonly SystemLogCount[]) =>
  counts.reduce(
    (sum, { error, warning, info, debug }) => [
      sum[0]! + error,
      sum[1]! + warning,
      sum[2]! + info,
      sum[3]! + debug,
    ],
    [0, 0, 0, 0],
  );
const stats = async (actor: SignedIn, query = '') =>
  (await actor.get(`${path}stats/${query}`)).json<SystemLogCount[]>();

/** What the rows say, counted without the module. */
async function rowsByLevel(): Promise<Record<string, number>> {
  const { rows } = await sql<{ level: string; count: number }>`
    select level, count(*) from system_log where deleted_at is null group by level`.execute(
    world.database.db.read(),
  );
  return Object.fromEntries(rows.map(({ level, count }) => [level, count]));
}

test('LDS-020, ENT-035, ~LDS-008 a line of the log is an entry with level, source, message and details', async () => {
  await say((line) =>
    line.child({ module: 'recordings' }).warn({ camera: 'c-1' }, 'a disk fills up'),
  );
  const [entry] = (await list(admin)).results;
  const { id, ...rest } = entry!;
  const at = new Date(world.clock.now()).toISOString();
  assert.match(id, /^[\da-f-]{36}$/);
  assert.deepEqual(rest, {
    level: 'warning',
    source: 'recordings',
    message: 'a disk fills up',
    user: null,
    user_name: '',
    timestamp: at,
    repeats: 1,
    last_at: at,
    details: { camera: 'c-1' },
  });
  assert.deepEqual((await admin.get(`${path}${id}/`)).json(), entry);
});

test('LDS-020 a line repeated within a minute is one entry with a number', async () => {
  await say((line) => line.warn('again'));
  const [first] = (await list(admin)).results;
  await say((line) => {
    for (let i = 0; i < 4; i += 1) line.warn('again');
  });
  const [entry] = (await list(admin)).results;
  assert.equal(entry?.id, first?.id);
  assert.deepEqual([entry?.repeats, first?.repeats], [5, 1]);
  assert.equal(Date.parse(entry!.last_at) - Date.parse(entry!.timestamp), 1_000);
});

test('~LDS-002, ~LDS-004, ~LDS-005, ~LDS-006, ~LDS-009, APL-022 entries are filtered, searched and paged, newest first', async () => {
  await say((line) => line.child({ module: 'paging' }).debug('not kept'));
  await chooseLevel('paging', 'debug');
  for (let i = 0; i < 25; i += 1) {
    await say((line) => line.child({ module: 'paging' }).debug({ n: i, key: 'Ключ-%_' }, `p ${i}`));
  }
  const first = await list(admin, '?source=paging&_t=1');
  assert.deepEqual([first.count, first.more, first.results.length], [25, false, 20]);
  assert.equal(first.results[0]?.message, 'p 24');
  const second = await list(admin, '?source=paging&page=2');
  assert.deepEqual(messages(second), ['p 4', 'p 3', 'p 2', 'p 1', 'p 0']);
  assert.equal((await admin.get(`${path}?source=paging&page=3`)).status, 400);
  assert.deepEqual(messages(await list(admin, '?source=paging&search=P%207')), ['p 7']);
  assert.equal((await list(admin, `?search=${encodeURIComponent('ключ-%_')}`)).count, 25);
  assert.equal((await list(admin, '?search=key')).count, 0, 'names of fields are not searched');
  const { id } = second.results[1]!;
  assert.deepEqual(messages(await list(admin, `?search=${id}`)), ['p 3'], 'by its own id');
  assert.equal((await list(admin, '?source=paging&level=info')).count, 0);
  assert.equal((await list(admin, '?level=debug&source=paging')).count, 25);
  const { timestamp } = second.results[0]!;
  assert.equal((await list(admin, `?source=paging&end_date=${timestamp}`)).count, 4);
  assert.equal((await list(admin, `?source=paging&start_date=${timestamp}`)).count, 21);
  assert.equal((await list(admin, '?source=paging&end_date=2026-01-15')).count, 25);
  assert.equal((await list(admin, `?source=paging&user=${user.id}`)).count, 0);
  for (const wrong of ['level=all', 'page_size=1001', 'user=me', 'start_date=x', 'page=0']) {
    assert.equal((await admin.get(`${path}?${wrong}`)).status, 400, wrong);
  }
});

test('LDS-020 an administrator chooses from which level on a source is kept, hosts too; debug ends by itself', async () => {
  const both = (line: Log): void => {
    const host = line.child({ module: 'media', host: 'camera-host-1' });
    host.debug('detail');
    host.info('usual');
  };
  const kept = async (): Promise<string[]> => messages(await list(admin, '?source=camera'));
  await say(both);
  assert.deepEqual(await kept(), ['usual']);
  assert.deepEqual(await levelOf('camera'), {
    source: 'camera',
    level: 'info',
    debug_until: null,
  });
  const debug_until = new Date(world.clock.now() + debugMs).toISOString();
  const debug = { source: 'camera', level: 'debug', debug_until } as const;
  assert.deepEqual(await chooseLevel('camera', 'debug'), debug);
  await say(both);
  assert.deepEqual((await kept()).toSorted(), ['detail', 'usual']);
  // What another process, or this one after a restart, reads.
  const { db } = world.database;
  const options = { db, activity: new Activity({ db, clock: world.clock }), log: quietLog };
  using restarted = await SourceLevels.open({ ...options, clock: world.clock });
  assert.ok(restarted.keeps('camera', 'debug'));
  assert.ok(!restarted.keeps('mail', 'debug'));
  await chooseLevel('camera', 'error');
  await until(() => !restarted.keeps('camera', 'warning'));
  assert.ok(restarted.keeps('camera', 'error'));
  await chooseLevel('camera', 'debug');
  world.clock.advance(debugMs);
  await signIn('-an-hour-later');
  assert.deepEqual(await levelOf('camera'), {
    source: 'camera',
    level: 'info',
    debug_until: null,
  });
  const before = await list(admin, '?source=camera&level=debug');
  await say(both);
  assert.equal((await list(admin, '?source=camera&level=debug')).count, before.count);
});

test('LDS-020 the choice of a level is a deed; what is no source has none, and browsers have no choice', async () => {
  await say((line) => line.child({ module: 'deeds' }).info('there'));
  await chooseLevel('deeds', 'warning');
  await chooseLevel('deeds', 'warning');
  const deeds = (await recorded(world.database.db)).filter(
    ({ action, details }) => action === 'system.log_level_changed' && details['source'] === 'deeds',
  );
  assert.deepEqual(
    deeds.map(({ user_id, details }) => [user_id, details['changes']]),
    [[admin.id, { level: { from: 'info', to: 'warning' } }]],
  );
  const send = async (source: string, level: string): Promise<number> =>
    (await admin.send('PATCH', sources, { source, level })).status;
  assert.equal(await send('nowhere', 'debug'), 404);
  assert.equal(await send('browser', 'debug'), 404);
  assert.equal(await send('deeds', 'trace'), 400);
  assert.equal((await user.send('PATCH', sources, { source: 'deeds', level: 'info' })).status, 403);
});

test('H-6, C-308, ~LDS-007 everyone reads what was said of themselves, without the insides; administrators read all', async () => {
  await say((line) => {
    line.child({ module: 'http', userId: user.id }).error({ err: new Error('inside') }, 'mine');
    line.child({ module: 'http', userId: other.id }).error('theirs');
  });
  assert.deepEqual(messages(await list(user)), ['mine']);
  assert.deepEqual(messages(await list(user, `?user=${other.id}`)), ['mine']);
  const [mine] = (await list(user)).results;
  assert.deepEqual([mine?.details, mine?.user_name], [{}, 'Test user']);
  const [seen] = (await list(admin, `?user=${user.id}`)).results;
  assert.equal((seen!.details['err'] as { message: string }).message, 'inside');
  const [theirs] = (await list(other)).results;
  const missing = await user.get(`${path}${crypto.randomUUID()}/`);
  for (const suffix of ['', 'neighbours/']) {
    const reply = await user.get(`${path}${theirs!.id}/${suffix}`);
    assert.deepEqual([reply.status, reply.text], [404, missing.text]);
  }
  assert.equal((await user.send('DELETE', `${path}${theirs!.id}/`)).status, 404);
  assert.deepEqual(summed(await stats(user)), [1, 0, 0, 0]);
  assert.deepEqual((await user.get(byLevel)).json(), [{ name: 'error', value: 1 }]);
});

test('LDS-020 the neighbours of an entry are what was logged before and after it, by any source', async () => {
  for (const name of ['n1', 'n2', 'n3', 'n4', 'n5']) {
    await say((line) => line.child({ module: name }).info(name));
  }
  const { results } = await list(admin, '?source=n3');
  const near = await admin.get(`${path}${results[0]!.id}/neighbours/?count=2`);
  const { before: earlier, after: later } = near.json<Record<string, SystemLogEntry[]>>();
  const named = (entries?: SystemLogEntry[]) => entries?.map(({ message }) => message);
  assert.deepEqual(
    [named(later), named(earlier)],
    [
      ['n5', 'n4'],
      ['n2', 'n1'],
    ],
  );
});

test('APL-023, APL-031, ~LDO-015 entries are counted by source and level, in any period, as the rows are', async () => {
  for (let hour = 0; hour < 3; hour += 1) {
    world.clock.advance(37 * 60_000);
    await say((line) => {
      line.child({ module: 'counted' }).error(`e ${hour}`);
      line.child({ module: 'counted' }).info(`i ${hour}`);
    });
  }
  await signIn('-later');
  const all = await rowsByLevel();
  assert.deepEqual(summed(await stats(admin)), [
    all['error'],
    all['warning'],
    all['info'],
    all['debug'],
  ]);
  const levels = (await admin.get(byLevel)).json<{ name: string; value: number }[]>();
  assert.deepEqual(Object.fromEntries(levels.map(({ name, value }) => [name, value])), all);
  const inPeriod = async (from: number, until: number): Promise<number> => {
    const [start, end] = [from, until].map((ms) => new Date(ms).toISOString());
    const counts = await stats(admin, `?start_date=${start}&end_date=${end}`);
    const byLevels = await admin.get(`${byLevel}?start_date=${start}&end_date=${end}`);
    const inAll = byLevels.json<{ value: number }[]>().reduce((sum, { value }) => sum + value, 0);
    const listed = await list(admin, `?start_date=${start}&end_date=${end}`);
    assert.equal(inAll, listed.count, `by level, ${start} ${end}`);
    assert.equal(
      summed(counts).reduce((a, b) => a + b, 0),
      listed.count,
      `${start} ${end}`,
    );
    return listed.count;
  };
  const now = world.clock.now();
  const hour = Math.floor(now / 3_600_000) * 3_600_000;
  assert.ok((await inPeriod(hour - 3_600_000, hour)) > 0);
  assert.ok((await inPeriod(now - 90 * 60_000, now + 1)) > 0);
  assert.equal(await inPeriod(now, now + 1), 2, 'within one hour');
  assert.equal(await inPeriod(now + 1, now + dayMs), 0);
});

test('APL-024, ~LDS-013, ~LDS-018 a deleted entry is in no list and no count, and the deed is recorded', async () => {
  await say((line) => line.error('to go'));
  const [entry] = (await list(admin)).results;
  const before = summed(await stats(admin));
  assert.equal((await admin.send('DELETE', `${path}${entry!.id}/`)).status, 204);
  assert.notEqual((await list(admin)).results[0]?.id, entry!.id);
  assert.deepEqual(summed(await stats(admin)), [before[0]! - 1, ...before.slice(1)]);
  const again = await admin.send('DELETE', `${path}${entry!.id}/`);
  assert.equal(again.status, 404);
  assert.equal(again.json()['detail'], 'Log not found.');
  const [deed] = (await recorded(world.database.db)).filter(
    ({ action }) => action === 'system.log_deleted',
  );
  assert.deepEqual([deed?.user_id, deed?.details], [admin.id, { entries: 1 }]);
});

test('APL-025, ~LDS-014 entries go by their ids, others’ stay', async () => {
  await say((line) => {
    line.child({ userId: user.id }).info('of the user');
    line.info('of the system');
  });
  const ids = (await list(admin)).results.slice(0, 2).map(({ id }) => id);
  const reply = await user.send('POST', `${path}bulk-delete/`, { ids });
  assert.deepEqual([reply.status, reply.json()['deleted']], [200, 1]);
  assert.deepEqual(messages(await list(admin)).slice(0, 1), ['of the system']);
  for (const wrong of [{}, { ids: [] }, { ids: ['x'] }, { ids: Array(1001).fill(ids[0]) }]) {
    assert.equal((await admin.send('POST', `${path}bulk-delete/`, wrong)).status, 400);
  }
});

test('~LDS-016 all that match go, but for those that came after the question was asked', async () => {
  await say((line) => {
    for (let i = 0; i < 5; i += 1) line.child({ module: 'filtered' }).info(`f ${i}`);
  });
  const remove = async (body: object) =>
    (await admin.send('POST', `${path}bulk-delete/`, body)).json();
  const filter = { source: 'filtered' };
  const asked = await remove({ filter, count_only: true });
  assert.deepEqual([asked['deleted'], asked['left']], [0, 5]);
  await say((line) => line.child({ module: 'filtered' }).info('late'));
  const done = await remove({ filter, as_of: asked['as_of'] });
  assert.deepEqual([done['deleted'], done['left']], [5, 0]);
  assert.deepEqual(messages(await list(admin, '?source=filtered')), ['late']);
});

test('CFL-042 an error of a browser is an entry of its user, under the id that was answered, without queries and secrets', async () => {
  world.clock.advance(60_000);
  const report = {
    kind: 'render',
    message: 'Cannot read canary-4711@example.org',
    stack: 'Error\n at https://nazar.example.org/app.js?token=canary-4711:1:2',
    page: '/faces?search=canary-4711#canary-4711',
  };
  const reply = await user.send('POST', reports, report);
  assert.equal(reply.status, 201, reply.text);
  const { id } = reply.json<{ id: string }>();
  await world.server.systemLog.flush();
  const entry = (await user.get(`${path}${id}/`)).json<SystemLogEntry>();
  assert.deepEqual(
    [entry.level, entry.source, entry.user, entry.details['page'], entry.details['kind']],
    ['error', 'browser', user.id, '/faces', 'render'],
  );
  assert.ok(!JSON.stringify(entry).includes('canary'), JSON.stringify(entry));
  assert.equal((await other.get(`${path}${id}/`)).status, 404);
});

test('CFL-042 one account reports so many errors in a minute, and others go on', async () => {
  world.clock.advance(60_000);
  const report = { kind: 'load', message: 'No answer' };
  const statuses: number[] = [];
  for (let i = 0; i <= reportsOfAccount; i += 1) {
    statuses.push((await user.send('POST', reports, report)).status);
  }
  assert.deepEqual([...new Set(statuses.slice(0, -1))], [201]);
  assert.equal(statuses.at(-1), 429);
  assert.equal((await other.send('POST', reports, report)).status, 201);
  world.clock.advance(60_000);
  assert.equal((await user.send('POST', reports, report)).status, 201);
  const tooLong = { kind: 'load', message: 'x'.repeat(501) };
  assert.equal((await user.send('POST', reports, tooLong)).status, 400);
});

test('C-602, C-604, C-1003 the support bundle has the end of the log, and no password, token, name, address or path', async () => {
  const canary = (): string => `canary${randomBytes(8).toString('hex')}`;
  const [password, name, first, place] = [canary(), canary(), canary(), canary()] as const;
  const camera = { name, location: place, type: 'rtsp', status: 'inactive' };
  const login = { url: `rtsp://${place}.example.org/${place}`, username: place, password };
  assert.equal(
    (await admin.send('POST', '/secure-api/cameras/', { ...camera, ...login })).status,
    201,
  );
  const { faces } = world.server;
  const of = { userId: admin.id, email: admin.email, sessionId: '', standing: 'admin' } as const;
  const actor = createScope(of, noGrants);
  const [category] = await faces.categories.list();
  const person = FaceFields.parse({ first_name: first, last_name: first, category: category!.id });
  await faces.add(actor, person, [], aSeenFace(1));
  await say((line) => {
    const withUser = line.child({ module: 'media', userId: user.id });
    const err = new Error(
      `connect to rtsp://u:${password}@${place}.example.org/1 by ${user.email}`,
    );
    withUser.error(
      { err, password, first_name: first, folder: `/srv/${place}/x` },
      'before the bundle',
    );
    withUser.warn(
      { authorization: `Bearer ${admin.access}` },
      `no such file /srv/${place}/film.mp4`,
    );
  });
  const reply = await admin.get('/secure-api/system/support-bundle/');
  assert.equal(reply.status, 200);
  for (const part of ['about', 'configuration', 'settings', 'health', 'models', 'statistics']) {
    assert.ok(reply.text.includes(`${part}.json\0`), part);
  }
  assert.ok(!reply.text.includes('"unread"'), 'every part could be read');
  assert.ok(reply.text.includes('before the bundle'));
  const accounts = [admin.email, user.email, 'Test user', admin.access];
  const found = [password, name, first, place, ...accounts].filter((one) =>
    reply.text.includes(one),
  );
  assert.deepEqual(found, []);
  const deeds = await recorded(world.database.db);
  assert.equal(deeds.at(-1)?.action, 'system.support_exported');
  assert.equal((await user.get('/secure-api/system/support-bundle/')).status, 403);
});

test('LDS-020 days that are over go with their partitions and their counts; today stays', async () => {
  const { systemLog } = world.server;
  const days = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
       where inhparent = 'system_log'::regclass order by relname`.execute(world.database.db.read());
    return rows.map(({ name }) => name);
  };
  const first = ['system_log_2026_01_15', 'system_log_2026_01_16', 'system_log_2026_01_17'];
  assert.deepEqual((await days()).slice(0, 3), first);
  // A line of a day that has no partition.
  await sql`
    insert into system_log values (${crypto.randomUUID()}, '2020-01-01', 'info', 'x', '', null, '{}', '', 1, '2020-01-01')`.execute(
    world.database.db.write(),
  );
  await systemLog.flush();
  world.clock.advance(31 * dayMs);
  await systemLog.prepareDays();
  await say((line) => line.info('a month later'));
  await systemLog.removeOld();
  const left = await days();
  assert.ok(!left.includes(first[0]!) && left.includes(first[1]!), left.join());
  const { rows } = await sql<{ message: string }>`select message from system_log`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(rows, [{ message: 'a month later' }]);
  await signIn('-a-month-later');
  assert.deepEqual(summed(await stats(admin)), [0, 0, 1, 0]);
});

test('R-15, LDS-020 a clock that jumps ahead empties no log', async () => {
  await using database = await testDatabase();
  const { db } = database;
  const steady = aClock();
  let jumpMs = 0;
  const clock = { ...steady, now: () => steady.now() + jumpMs };
  const options = { db, activity: new Activity({ db, clock }), lines: null, days: 30 };
  await using systemLog = await SystemLog.open({ ...options, clock, log: quietLog });
  const hasToday = async (): Promise<boolean> => {
    const { rows } = await sql`select to_regclass('system_log_2026_01_15') as name`.execute(
      db.read(),
    );
    return (rows[0] as { name: string | null }).name !== null;
  };
  jumpMs = 400 * dayMs;
  await systemLog.removeOld();
  assert.ok(await hasToday());
  steady.advance(16 * 60_000);
  await systemLog.removeOld();
  assert.ok(!(await hasToday()), 'it was the right time');
});
