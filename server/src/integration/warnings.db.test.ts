/** What administrators are warned of, over the whole server. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { SystemHealth } from '@nazar/contract/system.ts';
import type { Warning } from '@nazar/contract/warnings.ts';
import { Activity, dailyCheck, Warnings } from '#activity/activity.ts';
import { uuidv7 } from '#lib/ids.ts';
import { emailsSent } from '#testing/outbox.ts';
import { anActor, aChain, recorded } from '#testing/activity-chain.ts';
import { call, testServer, type SignedIn } from '#testing/server.ts';
import { mailServer } from '#testing/mail-server.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import { DiskWatch, type Space } from '#system/disk-watch.ts';
import type { UnusableFolder } from '#recordings/recordings.ts';
import { Monitor, type WantedPictures } from '#system/monitor.ts';
import { StorageWatch } from '#system/storage-watch.ts';
import type { StorageFit } from '@nazar/contract/recordings.ts';

const path = '/secure-api/system/warnings/';
const hourMs = 60 * 60_000;

async function listed(actor: SignedIn): Promise<Warning[]> {
  const reply = await actor.get(path);
  assert.equal(reply.status, 200, reply.text);
  return reply.json<{ results: Warning[] }>().results;
}

async function aChecked() {
  const chain = await aChain();
  const { database, clock, master, folder } = chain;
  const { db } = database;
  const activity = new Activity({ db, clock });
  const warnings = new Warnings({ db, activity, clock, log: quietLog });
  const check = dailyCheck({ db, clock, master, folder, log: quietLog, warnings, days: 365 });
  return { chain, warnings, check };
}
const never = new AbortController().signal;

test('C-803 C-808 a changed chain is found within a day, reported once, shown, and over when it is whole again', async () => {
  const { chain, warnings, check } = await aChecked();
  await using _record = chain;
  for (let entry = 0; entry < 3; entry += 1) {
    await chain.activity.recordAlone({ actor: anActor(), action: 'account.login', object: null });
  }
  await chain.sealer()[Symbol.asyncDispose]();
  assert.equal(await check.run(never), true);
  assert.equal(await check.run(never), false, 'once a day');
  assert.deepEqual(await warnings.list(), []);
  const [first] = await recorded(chain.database.db);
  await chain.attack(sql`update audit_entry set ip = '198.51.100.1' where sequence = 1`);
  for (let hour = 0; hour < 24; hour += 1) {
    chain.clock.advance(hourMs);
    await check.run(never);
  }
  const [warning] = await warnings.list();
  assert.deepEqual(
    [warning?.kind, warning?.severity, warning?.details],
    ['record_broken', 'critical', { fault: 'changed', sequence: 1 }],
  );
  chain.clock.advance(24 * hourMs);
  await check.run(never);
  assert.equal((await warnings.list())[0]?.count, 2);
  const entries = (await recorded(chain.database.db)).filter(
    ({ action }) => action === 'warning.raised',
  );
  assert.equal(entries.length, 1);
  await chain.attack(sql`update audit_entry set ip = ${first!.ip} where sequence = 1`);
  chain.clock.advance(24 * hourMs);
  await check.run(never);
  assert.deepEqual(await warnings.list(), []);
});

test('C-803 only one of two servers checks, and one that died while it checked blocks no one for long', async () => {
  const { chain, check } = await aChecked();
  await using _record = chain;
  const both = await Promise.all([check.run(never), check.run(never)]);
  assert.deepEqual(
    both.toSorted((a, b) => Number(a) - Number(b)),
    [false, true],
  );
  chain.clock.advance(24 * hourMs);
  await sql`update audit_check set claimed_at = ${new Date(chain.clock.now())}`.execute(
    chain.database.db.write(),
  );
  assert.equal(await check.run(never), false);
  chain.clock.advance(hourMs);
  assert.equal(await check.run(never), true);
});

test('C-803 C-804 the daily check removes old entries', async () => {
  const { chain, check } = await aChecked();
  await using _record = chain;
  const entry = { actor: anActor(), action: 'account.login', object: null } as const;
  await chain.activity.recordAlone(entry);
  chain.clock.advance(366 * 24 * hourMs);
  await chain.activity.recordAlone(entry);
  await chain.sealer()[Symbol.asyncDispose]();
  await check.run(never);
  assert.equal((await recorded(chain.database.db)).length, 1);
  assert.equal((await chain.verify()).fault, null);
});

test('C-808 ~NSH-009 a chain changed under the running server is shown by System Status', async () => {
  await using world = await testServer();
  const admin = await world.signIn('admin');
  const status = async () =>
    (await admin.get('/secure-api/system/health/')).json<SystemHealth>().audit_record;
  assert.deepEqual(await status(), { status: 'operational', detail: null });
  world.clock.advance(1_000);
  const { db } = world.database;
  await until(async () => (await recorded(db)).every(({ sequence }) => sequence !== null));
  await sql`alter table audit_entry disable trigger all`.execute(db.write());
  await sql`alter table activity_tombstone disable trigger all`.execute(db.write());
  await sql`delete from audit_entry`.execute(db.write());
  world.clock.advance(1_000);
  await until(async () => (await status()).status === 'down');
  assert.equal((await listed(admin))[0]?.kind, 'record_broken');
});

test('C-808 twenty refusals in a minute to one user are a warning; slips and other users’ are none', async () => {
  await using world = await testServer();
  const admin = await world.signIn('admin');
  const prying = await world.signIn('user', 'prying@example.org');
  const honest = await world.signIn('user', 'honest@example.org');
  const nowhere = '/secure-api/cameras/0190f7c1-0000-7000-8000-000000000000/';
  for (let round = 0; round < 19; round += 1) {
    await prying.get(round % 2 ? nowhere : path);
    await honest.get('/secure-api/cameras/');
  }
  world.clock.advance(60_000);
  await prying.get(nowhere);
  assert.deepEqual(await listed(admin), []);
  for (let round = 0; round < 40; round += 1) await prying.get(round % 2 ? nowhere : path);
  await until(async () => (await listed(admin)).length > 0);
  const [warning, ...more] = await listed(admin);
  assert.deepEqual(
    [warning?.kind, warning?.subject, warning?.count, more],
    ['many_denials', 'prying@example.org', 1, []],
  );
});

test('C-808 C-202 a session whose token was copied is in the activity log and a warning', async () => {
  await using world = await testServer();
  const admin = await world.signIn('admin');
  const victim = await world.signIn('user');
  const refresh = (token: string) =>
    call(world.app, 'POST', '/token/refresh/', { body: { refresh: token } });
  const next = (await refresh(victim.refresh)).json<{ refresh: string }>();
  world.clock.advance(11_000);
  assert.equal((await refresh(victim.refresh)).status, 401);
  assert.equal((await refresh(next.refresh)).status, 401);
  await until(async () => (await listed(admin)).length > 0);
  const [warning] = await listed(admin);
  assert.deepEqual(
    [warning?.kind, warning?.severity, warning?.subject],
    ['session_stolen', 'critical', victim.email],
  );
  const actions = (await recorded(world.database.db)).map(({ action }) => action);
  assert.ok(actions.includes('account.session_stolen'));
});

test('C-808 a warning is taken note of once, by administrators only, and comes again when it happens again', async () => {
  await using world = await testServer();
  const admin = await world.signIn('admin');
  const user = await world.signIn('user');
  const { warnings } = world.server;
  await warnings.raise({ kind: 'session_stolen', subject: user.id });
  const [{ id }] = (await listed(admin)) as [Warning];
  assert.equal((await user.get(path)).status, 403);
  assert.equal((await user.send('POST', `${path}${id}/acknowledge/`)).status, 403);
  assert.equal((await admin.send('POST', `${path}${id}/acknowledge/`)).status, 204);
  assert.equal((await admin.send('POST', `${path}${id}/acknowledge/`)).status, 404);
  assert.deepEqual(await listed(admin), []);
  await warnings.raise({ kind: 'session_stolen', subject: user.id });
  assert.equal((await listed(admin)).length, 1);
  // What lasts is not reported again while it lasts.
  await warnings.raise({ kind: 'disk_low' });
  const low = (await listed(admin)).find(({ kind }) => kind === 'disk_low')!;
  await admin.send('POST', `${path}${low.id}/acknowledge/`);
  await warnings.raise({ kind: 'disk_low' });
  assert.ok(!(await listed(admin)).some(({ kind }) => kind === 'disk_low'));
  await warnings.end('disk_low');
  await warnings.raise({ kind: 'disk_low' });
  assert.ok((await listed(admin)).some(({ kind }) => kind === 'disk_low'));
});

type Found = boolean | null;

/** Checks cameras that a test makes wanted and live, and counts what stands of those that are down. */
async function watchedCameras(state: {
  wanted: string[];
  live: string[];
  findings?: WantedPictures['findings'];
  folders?: readonly UnusableFolder[];
}) {
  const { chain, warnings } = await aChecked();
  const stack = new AsyncDisposableStack();
  stack.use(chain);
  const folder = mkdtempSync(join(tmpdir(), 'nazar-monitor-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const { clock } = chain;
  const options = {
    warnings,
    pictures: () => ({ findings: new Map(), ...state }),
    unusableFolders: () => Promise.resolve(state.folders ?? []),
    fit: async () => null,
    folder,
    clock,
    log: quietLog,
  };
  const aMonitor = (): Monitor => stack.use(new Monitor(options));
  const downCounts = async (): Promise<number[]> =>
    (await warnings.list()).filter(({ kind }) => kind === 'camera_down').map(({ count }) => count);
  /** Checks once, and returns how many warnings stand. */
  const down = async (monitor: Monitor): Promise<number> => {
    await monitor.look();
    return (await downCounts()).length;
  };
  return {
    warnings,
    clock,
    aMonitor,
    downCounts,
    down,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('C-808 a camera without a picture for two minutes is a warning until it comes back or is not wanted', async () => {
  const state = { wanted: ['a', 'b'], live: ['a', 'b'] };
  await using world = await watchedCameras(state);
  const { clock } = world;
  await using monitor = world.aMonitor();
  const down = () => world.down(monitor);
  assert.equal(await down(), 0);
  state.live = ['a'];
  assert.equal(await down(), 0);
  clock.advance(119_000);
  assert.equal(await down(), 0);
  clock.advance(1_000);
  assert.equal(await down(), 1);
  assert.equal(await down(), 1);
  state.live = ['a', 'b'];
  assert.equal(await down(), 0);
  state.live = [];
  await down();
  clock.advance(120_000);
  assert.equal(await down(), 2);
  state.wanted = ['a'];
  assert.equal(await down(), 1);
});

test('~C-808 a frozen or a covered camera is a warning until that is over; not knowing raises and ends nothing', async () => {
  const state = { wanted: ['a', 'b'], live: ['a', 'b'], findings: new Map() };
  await using world = await watchedCameras(state);
  const { warnings } = world;
  const said = async (monitor: Monitor, findings: Record<string, [Found, Found]>) => {
    const all = Object.entries(findings).map(
      ([id, [frozen, covered]]) => [id, { frozen, covered }] as const,
    );
    state.findings = new Map(all);
    await monitor.look();
    const [frozen, covered] = await Promise.all(
      (['camera_frozen', 'camera_covered'] as const).map((kind) => warnings.subjects(kind)),
    );
    const counts = (await warnings.list()).map(({ count }) => count);
    assert.ok(
      counts.every((count) => count === 1),
      'each is said once',
    );
    return { frozen, covered };
  };
  await using monitor = world.aMonitor();
  const none = { frozen: [], covered: [] };
  assert.deepEqual(await said(monitor, { a: [null, null], b: [null, null] }), none);
  assert.deepEqual(await said(monitor, { a: [false, false], b: [false, null] }), none);
  const both = { frozen: ['a'], covered: ['b'] };
  assert.deepEqual(await said(monitor, { a: [true, false], b: [false, true] }), both);
  assert.deepEqual(await said(monitor, { a: [null, null], b: [null, null] }), both, 'a new host');
  await using restarted = world.aMonitor();
  assert.deepEqual(await said(restarted, { a: [null, null], b: [null, true] }), both);
  const one = { frozen: ['a'], covered: [] };
  assert.deepEqual(await said(restarted, { a: [true, true], b: [false, false] }), {
    frozen: ['a'],
    covered: ['a'],
  });
  assert.deepEqual(await said(restarted, { a: [true, false], b: [false, false] }), one);
  assert.deepEqual(await said(restarted, { b: [false, false] }), none, 'the camera is off');
});

test('C-808 each recording folder that is away or hangs for ten seconds is a warning that names it', async () => {
  const away = { id: 'a', name: '/recordings/', state: 'away' } as const;
  const hung = { id: 'b', name: '/recordings-2/', state: 'hung' } as const;
  const state: { wanted: string[]; live: string[]; folders: readonly UnusableFolder[] } = {
    wanted: [],
    live: [],
    folders: [away, hung, { ...hung, id: 'c' }],
  };
  await using world = await watchedCameras(state);
  const { clock, warnings } = world;
  await using monitor = world.aMonitor();
  const named = async (by: Monitor) => {
    await by.look();
    return (await warnings.list())
      .map(({ kind, details, count }) => `${kind} ${String(details['folder'])} ${count}`)
      .toSorted();
  };
  assert.deepEqual(await named(monitor), [], 'a disk that spins up, and one that is mounted late');
  clock.advance(9_000);
  state.folders = [away, hung];
  assert.deepEqual(await named(monitor), []);
  clock.advance(1_000);
  const both = ['folder_away /recordings/ 1', 'folder_hung /recordings-2/ 1'];
  assert.deepEqual(await named(monitor), both);
  assert.ok((await warnings.list()).every(({ severity }) => severity === 'critical'));
  state.folders = [away, hung, { ...hung, id: 'c' }];
  assert.deepEqual(await named(monitor), both);
  await using restarted = world.aMonitor();
  assert.deepEqual(await named(restarted), both, 'raised once');
  state.folders = [{ ...away, state: 'hung' }, hung];
  assert.deepEqual(await named(restarted), both.slice(1), 'it hangs, for how long is not known');
  clock.advance(10_000);
  assert.deepEqual(await named(restarted), [
    'folder_hung /recordings-2/ 1',
    'folder_hung /recordings/ 1',
  ]);
  state.folders = [];
  assert.deepEqual(await named(restarted), []);
});

test('C-808 a warning of an earlier run of the server ends with its cause, and is not reported twice', async () => {
  const state = { wanted: ['live', 'late', 'dark'], live: ['live'] };
  await using world = await watchedCameras(state);
  const { warnings, clock } = world;
  for (const subject of ['live', 'late', 'dark', 'deactivated']) {
    await warnings.raise({ kind: 'camera_down', subject });
  }
  await using monitor = world.aMonitor();
  const down = () => world.down(monitor);
  assert.equal(await down(), 2, 'one sends, and one was deactivated meanwhile');
  state.live = ['live', 'late'];
  assert.equal(await down(), 1, 'cameras connect for a while after the start');
  clock.advance(120_000);
  assert.equal(await down(), 1);
  assert.deepEqual(await world.downCounts(), [1], 'a camera that is still dark is no news');
  state.live = ['live', 'late', 'dark'];
  assert.equal(await down(), 0);
});

test('C-808 two checks at once report a camera once, and leave nothing standing that is over', async () => {
  const state = { wanted: ['a'], live: [] as string[] };
  await using world = await watchedCameras(state);
  await using monitor = world.aMonitor();
  const both = () => Promise.all([monitor.look(), monitor.look()]);
  await both();
  world.clock.advance(120_000);
  await both();
  assert.deepEqual(await world.downCounts(), [1]);
  state.live = ['a'];
  await both();
  assert.deepEqual(await world.downCounts(), []);
});

test('C-808 a disk with less than 5 % or 1 GiB free is one warning, with what is free now, until there is room again', async () => {
  const { chain, warnings } = await aChecked();
  await using _record = chain;
  const gib = 1024 ** 3;
  const mib = 1024 ** 2;
  let space: Space = { bavail: 0, blocks: 0, bsize: 1024 };
  const asked: string[] = [];
  const spaceOf = async (folder: string): Promise<Space> => {
    asked.push(folder);
    return space;
  };
  const options = { warnings, folder: '/where/everything/lives', spaceOf };
  const shown = async (watch: DiskWatch, freeBytes: number, ofBytes: number) => {
    space = { bavail: freeBytes / 1024, blocks: ofBytes / 1024, bsize: 1024 };
    await watch.look();
    const found = await warnings.list();
    return found.map(({ kind, details, count }) => [kind, details['free_bytes'], count]);
  };
  const watch = new DiskWatch(options);
  assert.deepEqual(await shown(watch, 5 * gib, 100 * gib), []);
  assert.deepEqual(await shown(watch, 4 * gib, 100 * gib), [['disk_low', 4 * gib, 1]]);
  assert.deepEqual(await shown(watch, 3 * gib, 100 * gib), [['disk_low', 3 * gib, 1]]);
  const hardlyLess = await shown(watch, 3 * gib - mib, 100 * gib);
  assert.deepEqual(hardlyLess, [['disk_low', 3 * gib, 1]], 'less than the reader can see');
  assert.deepEqual(await shown(watch, 6 * gib, 100 * gib), []);
  // A small disk: a tenth of it is free, and yet not what the database needs.
  assert.deepEqual(await shown(watch, gib - 1024, 10 * gib), [['disk_low', gib - 1024, 1]]);
  assert.deepEqual(await shown(watch, 16 * mib, 10 * gib), [['disk_low', 16 * mib, 1]]);
  assert.deepEqual(await shown(watch, 16 * mib - 1024, gib), [['disk_full', 16 * mib - 1024, 1]]);
  assert.deepEqual(await shown(watch, 0, gib), [['disk_full', 0, 1]]);
  const restarted = new DiskWatch(options);
  assert.deepEqual(
    await shown(restarted, mib, gib),
    [['disk_full', mib, 1]],
    'not announced again',
  );
  assert.deepEqual(await shown(restarted, 32 * mib, gib), [['disk_low', 32 * mib, 1]]);
  assert.deepEqual(await shown(new DiskWatch(options), gib, 10 * gib), []);
  assert.deepEqual([...new Set(asked)], ['/where/everything/lives']);
});

test('C-808 each active administrator gets an email of each new warning, in their language and time zone, without names', async () => {
  await using box = await mailServer();
  const origin = 'https://nazar.example.org';
  const mail = { smtp: box.smtp, from: 'nazar@example.org', origin };
  await using world = await testServer({ mail, publicUrl: origin });
  const superadmin = await world.signIn('superadmin');
  const admin = await world.signIn('admin');
  const gone = await world.signIn('admin', 'gone@example.org');
  const suspect = await world.signIn('operator', 'suspect@example.org');
  const preferences = '/secure-api/accounts/preferences/update_my_preferences/';
  await admin.send('PATCH', preferences, { language: 'az', timezone: 'Asia/Baku' });
  const { db } = world.database;
  await sql`update app_user set is_active = false where id = ${gone.id}`.execute(db.write());
  const { warnings } = world.server;
  await warnings.raise({ kind: 'many_denials', subject: suspect.id });
  await warnings.raise({ kind: 'many_denials', subject: suspect.id });
  await box.email(1);
  await emailsSent(db);
  const receivers = box.delivered.flatMap(({ to }) => to).toSorted();
  assert.deepEqual(receivers, [superadmin.email, admin.email].toSorted());
  for (const { to, text, raw } of box.delivered) {
    const words = to[0] === admin.email ? /icazəsi olmayan/ : /repeatedly tried/;
    assert.match(text, words);
    const zone =
      to[0] === admin.email ? /16:\d\d \(Asia\/Baku, UTC\+04:00\)\r?\n/ : /12:\d\d PM UTC\r?\n/;
    assert.match(text, zone);
    assert.ok(text.includes(`\n${origin}/\n`));
    assert.ok(!raw.includes(suspect.email) && !raw.includes(suspect.id));
  }
});

test('C-808 thirty cameras that go down at once are two emails to each administrator, and thirty warnings', async () => {
  await using box = await mailServer();
  const origin = 'https://nazar.example.org';
  const mail = { smtp: box.smtp, from: 'nazar@example.org', origin };
  await using world = await testServer({ mail, publicUrl: origin });
  const administrators = [await world.signIn('superadmin'), await world.signIn('admin')];
  const { warnings } = world.server;
  const raise = (): Promise<void> =>
    warnings.raise({ kind: 'camera_down', subject: uuidv7(world.clock.now()) });
  const receiversOf = (text: RegExp): string[] =>
    box.delivered.filter((email) => text.test(email.text)).flatMap(({ to }) => to);
  for (let camera = 0; camera < 30; camera += 1) await raise();
  await box.email(1);
  await emailsSent(world.database.db);
  const receivers = administrators.map(({ email }) => email).toSorted();
  assert.deepEqual(receiversOf(/A camera isn't sending video/).toSorted(), receivers);
  const shown = await listed(administrators[1]!);
  assert.equal(shown.filter(({ kind }) => kind === 'camera_down').length, 30);
  const late = await world.signIn('admin', 'late@example.org');
  await raise();
  await box.email(2);
  assert.deepEqual(box.delivered[2]!.to, [late.email], 'who had none yet gets one');
  world.clock.advance(hourMs);
  await box.email(4);
  await emailsSent(world.database.db);
  assert.deepEqual(receiversOf(/more than once/).toSorted(), receivers);
  assert.equal(box.delivered.length, 5);
});

test('C-808 C-801 the emails are queued with the warning or neither is there', async () => {
  await using box = await mailServer();
  const origin = 'https://nazar.example.org';
  const mail = { smtp: box.smtp, from: 'nazar@example.org', origin };
  await using world = await testServer({ mail, publicUrl: origin });
  const admin = await world.signIn('admin');
  const { db } = world.database;
  await sql`alter table mail_outbox rename to mail_outbox_away`.execute(db.write());
  await assert.rejects(world.server.warnings.raise({ kind: 'disk_low' }));
  await sql`alter table mail_outbox_away rename to mail_outbox`.execute(db.write());
  assert.ok(!(await listed(admin)).some(({ kind }) => kind === 'disk_low'));
  await world.server.warnings.raise({ kind: 'disk_low' });
  assert.match((await box.email(0)).header('Subject'), /almost full/);
});

test('C-808 recordings of which fewer days fit than are to be kept are one warning, with the figures of now', async () => {
  const { chain, warnings } = await aChecked();
  await using _record = chain;
  let found: StorageFit | null = null;
  const shown = async (watch: StorageWatch, kept_days: number | null) => {
    found = kept_days === null ? null : { kept_days, wanted_days: 30, short_cameras: 2 };
    await watch.look();
    const list = await warnings.list();
    return list.map(({ kind, details, count }) => [kind, details['kept_days'], count]);
  };
  const watch = new StorageWatch({ warnings, fit: async () => found });
  assert.deepEqual(await shown(watch, null), [], 'nothing is measured yet');
  assert.deepEqual(await shown(watch, 30), []);
  assert.deepEqual(await shown(watch, 28.9), [], 'within what rates vary by');
  assert.deepEqual(await shown(watch, 0.6), [['storage_short', 0.6, 1]]);
  assert.deepEqual(await shown(watch, 28.9), [['storage_short', 28.9, 1]], 'not enough yet');
  const restarted = new StorageWatch({ warnings, fit: async () => found });
  assert.deepEqual(await shown(restarted, null), [['storage_short', 28.9, 1]]);
  assert.deepEqual(await shown(restarted, 12), [['storage_short', 12, 1]], 'told once');
  assert.deepEqual(await shown(restarted, 30), []);
});
