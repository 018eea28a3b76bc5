/** Alerts as users list, take, resolve and dismiss them, and the rules as administrators change them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlertRuleFields } from '@nazar/contract/alert-rules.ts';
import {
  AlertQuery,
  nextStatuses,
  type Alert,
  type AlertLevel,
  type AlertStatus,
} from '@nazar/contract/alerts.ts';
import { sql } from 'kysely';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/activity-chain.ts';
import { aPicture, aVisit, aWorld, quietLog, type World } from '#testing/world.ts';
import { Alerts } from './alerts.ts';

interface AlertWorld extends AsyncDisposable {
  readonly world: World;
  readonly alerts: Alerts;
  readonly admin: Scope;
  /** May see the entrance and read no names. */
  readonly guard: Scope;
  /** May see nothing. */
  readonly outsider: Scope;
  readonly entrance: string;
  readonly yard: string;
}

async function alertWorld(): Promise<AlertWorld> {
  const world = await aWorld();
  const admin = await world.actor('admin');
  const entrance = await world.camera(admin, { name: 'Entrance' });
  const yard = await world.camera(admin, { name: 'Yard' });
  const guard = { ...(await world.actor('user')), grants: granting(entrance, ['live']) };
  const outsider = await world.actor('user');
  const scopes = new Map([admin, guard, outsider].map((scope) => [scope.userId, scope]));
  const { database, activity, warnings, cameras, faces, visits, clock } = world;
  const alerts = new Alerts({
    db: database.db,
    activity,
    warnings,
    cameras,
    faces,
    visits,
    scopeOfUser: async (_, userId) => scopes.get(userId) ?? null,
    clock,
    log: quietLog,
  });
  const dispose = async () => {
    await alerts[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  };
  const places = { entrance, yard };
  return { world, alerts, admin, guard, outsider, ...places, [Symbol.asyncDispose]: dispose };
}

interface Given {
  readonly camera?: string | null;
  readonly kind?: Alert['kind'];
  readonly level?: AlertLevel;
  readonly status?: AlertStatus;
  readonly people?: number | null;
  readonly agoMs?: number;
}

/** An alert as the evaluation writes it. */
async function raised({ world, entrance }: AlertWorld, given: Given = {}): Promise<string> {
  const { camera = entrance, kind = 'unknown_person', level = 'warning', status = 'new' } = given;
  const { people = camera === null ? null : 1, agoMs = 0 } = given;
  const at = new Date(world.clock.now() - agoMs);
  const id = uuidv7(at.getTime());
  const resolvedAt = status === 'resolved' || status === 'dismissed' ? at : null;
  const warningKind = kind === 'storage_low' ? 'disk_low' : null;
  await sql`
    insert into alert (id, rule_id, kind, level, status, subject, camera_id, warning_kind, count, people, created_at,
      last_at, resolved_at)
    values (${id}, (select id from alert_rule where kind = ${kind}), ${kind}, ${level}, ${status}, ${id}, ${camera}, ${warningKind}, 1, ${people}, ${at}, ${at},
      ${resolvedAt})`.execute(world.database.db.write());
  return id;
}

async function withVisit({ world, entrance }: AlertWorld, alertId: string, look: number) {
  const visit = aVisit(entrance, world.clock.now() - 1_000 + look, { picture: aPicture(look) });
  const { identityId } = await world.visits.write(visit);
  await sql`
    insert into alert_visit (alert_id, visit_id, identity_id, started_at)
    values (${alertId}, ${visit.id}, ${identityId}, ${new Date(visit.startedAtMs)})`.execute(
    world.database.db.write(),
  );
  return { id: visit.id, identityId };
}

const english = { language: 'en', timeZone: 'UTC' } as const;

async function listed({ alerts }: AlertWorld, scope: Scope, query: object = {}) {
  const { count, results } = await alerts.lists.list(scope, AlertQuery.parse(query), english);
  return { count, ids: results.map(({ id }) => id), results };
}

test('~ALR-002 ~ALR-003 alerts are filtered by status and level, paged and ordered', async () => {
  await using it = await alertWorld();
  const old = await raised(it, { level: 'critical', agoMs: 30_000 });
  const taken = await raised(it, { status: 'in_progress', level: 'error', agoMs: 20_000 });
  const closed = await raised(it, { status: 'resolved', level: 'critical', agoMs: 10_000 });
  const away = await raised(it, { status: 'dismissed', level: 'info' });
  const ids = async (query: object) => (await listed(it, it.admin, query)).ids;
  assert.deepEqual(await ids({}), [away, closed, taken, old]);
  assert.deepEqual(await ids({ status: 'new' }), [old]);
  assert.deepEqual(await ids({ status: 'in_progress' }), [taken]);
  assert.deepEqual(await ids({ status: 'resolved' }), [closed]);
  assert.deepEqual(await ids({ status: 'dismissed' }), [away]);
  assert.deepEqual(await ids({ level: 'critical' }), [closed, old]);
  assert.deepEqual(await ids({ level: 'critical', status: 'new' }), [old]);
  assert.deepEqual(await ids({ level: 'warning' }), []);
  assert.deepEqual(await ids({ open: 'true' }), [taken, old]);
  assert.deepEqual(await ids({ open: 'false' }), [away, closed]);
  assert.deepEqual(await ids({ ordering: 'created_at' }), [old, taken, closed, away]);
  assert.deepEqual(await ids({ ordering: '-level' }), [closed, old, taken, away]);
  assert.deepEqual(await ids({ ordering: 'level' }), [away, taken, old, closed]);
  const second = await listed(it, it.admin, { page: '2', page_size: '3' });
  assert.deepEqual([second.count, second.ids], [4, [old]]);
  await assert.rejects(listed(it, it.admin, { page: '3', page_size: '3' }), {
    code: 'page_too_late',
  });
  const counts = await it.alerts.lists.counts(it.admin);
  const by_level = { info: 0, warning: 0, error: 1, critical: 1 };
  assert.deepEqual(counts, { new: 1, in_progress: 1, by_level });
});

test('APX-011 ~ALR-011 a reader has the alerts of the cameras they may see, whichever they name', async () => {
  await using it = await alertWorld();
  const here = await raised(it, { agoMs: 1_000 });
  const there = await raised(it, { camera: it.yard });
  const disk = await raised(it, { camera: null, kind: 'storage_low', agoMs: 2_000 });
  const both = { camera__in: `${it.entrance},${it.yard}` };
  assert.deepEqual((await listed(it, it.admin)).ids, [there, here, disk]);
  assert.deepEqual((await listed(it, it.admin, both)).ids, [there, here]);
  assert.deepEqual((await listed(it, it.admin, { camera__in: it.yard })).ids, [there]);
  const guards = await listed(it, it.guard, both);
  assert.deepEqual([guards.count, guards.ids], [1, [here]]);
  assert.deepEqual((await listed(it, it.guard)).ids, [here]);
  assert.deepEqual((await listed(it, it.guard, { camera__in: it.yard })).ids, []);
  const outsiders = await listed(it, it.outsider, both);
  assert.deepEqual([outsiders.count, outsiders.ids], [0, []]);
  assert.equal((await it.alerts.lists.counts(it.guard)).new, 1);
  assert.equal((await it.alerts.lists.counts(it.outsider)).new, 0);
  for (const id of [there, disk]) {
    await assert.rejects(it.alerts.lists.details(it.guard, id, 'en'), { code: 'alert_not_found' });
    const deed = it.alerts.workflow.updateStatus(it.guard, id, { status: 'resolved' });
    await assert.rejects(deed, { code: 'alert_not_found' });
  }
  // An administrator may give it to a user, who reads it from then on.
  await it.alerts.workflow.assign(it.admin, disk, it.guard.userId);
  assert.deepEqual((await listed(it, it.guard)).ids, [here, disk]);
  assert.deepEqual((await listed(it, it.guard, both)).ids, [here, disk]);
  assert.deepEqual((await listed(it, it.outsider)).ids, []);
});

test('ENT-037 an alert has the words of its reader, names beside its ids, and its newest visit', async () => {
  await using it = await alertWorld();
  const id = await raised(it, { people: 2 });
  await withVisit(it, id, 1);
  const newest = await withVisit(it, id, 2);
  const [alert] = (await listed(it, it.guard)).results;
  assert.equal(alert!.title, '2 unknown people at Entrance');
  assert.equal(alert!.message, '1 visit.');
  assert.deepEqual(
    [alert!.camera, alert!.camera_name, alert!.visit, alert!.face_name],
    [it.entrance, 'Entrance', newest.id, 'Unknown'],
  );
  assert.equal(alert!.image, `/secure-api/activity-log/face-logs/${newest.id}/image/`);
  const russian = await it.alerts.lists.one(it.guard, id, 'ru');
  assert.equal(russian.title, '2 неизвестных на камере Entrance');
  const details = await it.alerts.lists.details(it.guard, id, 'en');
  assert.equal(details.visits.length, 2);
  assert.deepEqual(
    details.history.map(({ kind }) => kind),
    ['raised'],
  );
  await it.world.visits.deleting.one(it.admin, newest.id);
  const after = await it.alerts.lists.details(it.guard, id, 'en');
  assert.notEqual(after.visit, newest.id);
  assert.equal(after.visits.length, 1);
});

test('C-1009 without the right to a name a watched person is a known one, of whom one visit is shown', async () => {
  await using it = await alertWorld();
  const ayla = await it.world.person(it.admin, 'Ayla', 7);
  const id = await raised(it, { kind: 'watched_person', level: 'critical' });
  for (const nth of [0, 1]) {
    const startedAtMs = it.world.clock.now() - 5_000 + nth * 2_000;
    const visit = aVisit(it.entrance, startedAtMs, { picture: aPicture(7), ...ayla });
    const known = { ...visit, id: uuidv7(startedAtMs) };
    await it.world.visits.write(known);
    await sql`
      insert into alert_visit (alert_id, visit_id, identity_id, started_at)
      values (${id}, ${known.id}, ${ayla.identityId}, ${new Date(startedAtMs)})`.execute(
      it.world.database.db.write(),
    );
  }
  const full = await it.alerts.lists.details(it.admin, id, 'en');
  assert.equal(full.title, 'Ayla Example at Entrance');
  assert.deepEqual([full.face_name, full.visits.length], ['Ayla Example', 2]);
  const hidden = await it.alerts.lists.details(it.guard, id, 'en');
  assert.equal(hidden.title, 'Known person at Entrance');
  assert.deepEqual([hidden.face_name, hidden.visits.length], ['Known person', 1]);
  assert.ok(!JSON.stringify(hidden).includes('Ayla'));
});

const statuses = ['in_progress', 'resolved', 'dismissed'] as const;

test('~ALR-004 ~ALR-006 APX-012 an alert takes the statuses that its own allows, and no other', async () => {
  await using it = await alertWorld();
  for (const from of ['new', 'in_progress', 'resolved', 'dismissed'] as const) {
    for (const status of statuses) {
      const id = await raised(it, { status: from });
      const other = await raised(it, { status: from });
      const change = it.alerts.workflow.updateStatus(it.guard, id, { status });
      const isAllowed = nextStatuses[from].includes(status);
      if (isAllowed) await change;
      else await assert.rejects(change, { code: 'alert_status_changed' });
      const after = await it.alerts.lists.one(it.guard, id, 'en');
      assert.equal(after.status, isAllowed ? status : from, `${from} to ${status}`);
      assert.equal((await it.alerts.lists.one(it.guard, other, 'en')).status, from);
    }
  }
  assert.deepEqual(nextStatuses.new, statuses);
  assert.deepEqual(nextStatuses.in_progress, ['resolved']);
  assert.deepEqual([nextStatuses.resolved, nextStatuses.dismissed], [[], []]);
});

test('~ALR-005 APX-013 taking an alert assigns it; only administrators assign it to others', async () => {
  await using it = await alertWorld();
  const { workflow, lists } = it.alerts;
  const id = await raised(it);
  await workflow.updateStatus(it.guard, id, { status: 'in_progress' });
  const taken = await lists.one(it.guard, id, 'en');
  assert.deepEqual(
    [taken.status, taken.assigned_to, taken.assigned_to_name],
    ['in_progress', it.guard.userId, 'Test user'],
  );
  const second = await raised(it);
  await assert.rejects(workflow.assign(it.guard, second, it.admin.userId), { code: 'forbidden' });
  await workflow.assign(it.guard, second, it.guard.userId);
  await assert.rejects(workflow.assign(it.admin, second, it.outsider.userId), {
    code: 'alert_assignee_unknown',
  });
  await assert.rejects(workflow.assign(it.admin, second, uuidv7(0)), {
    code: 'alert_assignee_unknown',
  });
  await workflow.assign(it.admin, second, it.admin.userId);
  // A user takes nothing from the administrator who has it.
  await assert.rejects(workflow.assign(it.guard, second, it.guard.userId), {
    code: 'alert_status_changed',
    params: { status: 'in_progress', by: 'Test admin' },
  });
  const { history } = await lists.details(it.admin, second, 'en');
  assert.deepEqual(
    history.map(({ kind, by, to }) => [kind, by, to]),
    [
      ['raised', null, null],
      ['assigned', 'Test user', 'Test user'],
      ['assigned', 'Test admin', 'Test admin'],
    ],
  );
  assert.deepEqual((await listed(it, it.guard, { mine: 'true' })).ids, [id]);
  assert.deepEqual((await listed(it, it.guard, { mine: 'false' })).ids, [second]);
});

test('~NSH-034 of two who resolve at once the second reads who was first, and the activity log has one', async () => {
  await using it = await alertWorld();
  const id = await raised(it);
  const notes = { resolution_notes: 'A courier' };
  const both = await Promise.allSettled([
    it.alerts.workflow.updateStatus(it.guard, id, { status: 'resolved', ...notes }),
    it.alerts.workflow.updateStatus(it.admin, id, { status: 'resolved', ...notes }),
  ]);
  const refused = both.filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 1);
  const alert = await it.alerts.lists.one(it.admin, id, 'en');
  assert.equal(alert.resolution_notes, 'A courier');
  const { code, params } = refused[0]!.reason as { code: string; params: object };
  assert.equal(code, 'alert_status_changed');
  assert.deepEqual(params, { status: 'resolved', by: alert.resolved_by_name });
  const entries = (await recorded(it.world.database.db)).filter(
    ({ action }) => action === 'alert.resolved',
  );
  assert.equal(entries.length, 1);
  assert.ok(!JSON.stringify(entries).includes('courier'));
});

test('resolving the alert of a warning acknowledges the warning, and no other', async () => {
  await using it = await alertWorld();
  await it.world.warnings.raise({ kind: 'disk_low' });
  await it.world.warnings.raise({ kind: 'storage_short' });
  await it.alerts.evaluate();
  const mirrored = (await listed(it, it.admin)).results;
  assert.deepEqual(mirrored.map(({ kind, title }) => `${kind}: ${title}`).toSorted(), [
    "storage_low: Recordings don't fit on the disk",
    'storage_low: The disk is almost full',
  ]);
  const low = mirrored.find(({ title }) => title === 'The disk is almost full')!;
  await it.alerts.workflow.updateStatus(it.admin, low.id, { status: 'resolved' });
  const left = (await it.world.warnings.list()).map(({ kind }) => kind);
  assert.deepEqual(left, ['storage_short']);
  await it.alerts.evaluate();
  const open = await listed(it, it.admin, { open: 'true' });
  assert.deepEqual(
    open.results.map(({ title }) => title),
    ["Recordings don't fit on the disk"],
  );
});

test('~NSH-034 a rule that names a deleted camera and group can be changed, and takes no other that is not there', async () => {
  await using it = await alertWorld();
  const { rules } = it.alerts;
  const gone = await it.world.camera(it.admin, { name: 'Gone' });
  const group = await it.world.cameras.groups.add(it.admin, {
    name: 'Gone group',
    description: '',
    cameras: [gone],
  });
  const named = { cameras: [gone, it.yard], camera_groups: [group.id] };
  const fields = { kind: 'unknown_person', level: 'info', ...named } as const;
  const added = await rules.add(it.admin, AlertRuleFields.parse(fields));
  await it.world.cameras.remove(it.admin, gone);
  await it.world.cameras.groups.remove(it.admin, group.id);
  const off = await rules.change(it.admin, added.id, { is_enabled: false });
  assert.deepEqual(off, { ...added, is_enabled: false });
  await assert.rejects(rules.change(it.admin, added.id, { cameras: [gone, uuidv7(0)] }), {
    code: 'camera_not_found',
  });
  await assert.rejects(rules.change(it.admin, added.id, { camera_groups: [uuidv7(0)] }), {
    code: 'group_not_found',
  });
  const without = await rules.change(it.admin, added.id, { cameras: [it.yard], camera_groups: [] });
  assert.deepEqual(without.cameras, [it.yard]);
  await assert.rejects(rules.change(it.admin, added.id, { cameras: [gone] }), {
    code: 'camera_not_found',
  });
});

test('NSH-034 administrators add, change and delete rules; those of the first start are on', async () => {
  await using it = await alertWorld();
  const { rules } = it.alerts;
  const first = await rules.list();
  assert.deepEqual(
    first.map(({ kind, level, is_enabled }) => `${kind} ${level} ${is_enabled}`).toSorted(),
    [
      'camera_down error true',
      'camera_picture warning true',
      'recorder_failed error true',
      'storage_low warning true',
      'system_warning warning true',
      'unknown_person warning true',
      'watched_person critical true',
    ],
  );
  const [category] = await it.world.faces.categories.list();
  const fields = { kind: 'watched_person', level: 'error', cameras: [it.yard] } as const;
  const add = (more: object) => rules.add(it.admin, AlertRuleFields.parse({ ...fields, ...more }));
  await assert.rejects(add({}), { code: 'alert_rule_categories' });
  await assert.rejects(add({ categories: [uuidv7(0)] }), { code: 'category_not_found' });
  const categories = [category!.id];
  await assert.rejects(add({ categories, cameras: [uuidv7(0)] }), { code: 'camera_not_found' });
  const added = await add({ categories });
  assert.deepEqual(added, {
    id: added.id,
    ...fields,
    is_enabled: true,
    camera_groups: [],
    categories,
    schedule: null,
    modes: ['home', 'away'],
    visits: 3,
    confidence_percent: 0,
    quiet_minutes: 10,
  });
  const changed = await rules.change(it.admin, added.id, { is_enabled: false, cameras: null });
  assert.deepEqual(changed, { ...added, is_enabled: false, cameras: null });
  assert.deepEqual(
    (await rules.list()).filter(({ id }) => id === added.id),
    [changed],
  );
  await assert.rejects(rules.change(it.admin, added.id, { categories: [] }), {
    code: 'alert_rule_categories',
  });
  await rules.remove(it.admin, added.id);
  assert.deepEqual(await rules.list(), first);
  await assert.rejects(rules.remove(it.admin, added.id), { code: 'alert_rule_not_found' });
});

test('the alert of a deleted rule is over and stays so, whatever becomes of its warning', async () => {
  await using it = await alertWorld();
  await it.world.warnings.raise({ kind: 'disk_low' });
  await it.world.warnings.raise({ kind: 'disk_full' });
  await it.alerts.evaluate();
  const rule = (await it.alerts.rules.list()).find(({ kind }) => kind === 'storage_low')!;
  await it.alerts.rules.remove(it.admin, rule.id);
  const lasting = async () =>
    (await listed(it, it.admin)).results
      .filter(({ ended_at }) => ended_at === null)
      .map(({ title }) => title);
  assert.deepEqual(await lasting(), ['The disk is full']);
  await it.world.warnings.raise({ kind: 'disk_low' });
  await it.alerts.evaluate();
  assert.deepEqual(await lasting(), ['The disk is full']);
});

test('a rule of storage is about no camera and no category, whatever is sent', async () => {
  await using it = await alertWorld();
  const [category] = await it.world.faces.categories.list();
  const fields = AlertRuleFields.parse({
    kind: 'storage_low',
    level: 'info',
    cameras: [it.yard],
    categories: [category!.id],
  });
  const added = await it.alerts.rules.add(it.admin, fields);
  assert.deepEqual([added.cameras, added.categories], [null, []]);
});

test('an account that may not sign in is assigned nothing', async () => {
  await using it = await alertWorld();
  const id = await raised(it, { camera: null, kind: 'storage_low' });
  await sql`update app_user set is_active = false where id = ${it.guard.userId}`.execute(
    it.world.database.db.write(),
  );
  await assert.rejects(it.alerts.workflow.assign(it.admin, id, it.guard.userId), {
    code: 'alert_assignee_unknown',
  });
  const outsider = createScope({ ...it.outsider, standing: 'user' }, noGrants);
  await it.alerts.workflow.assign(it.admin, id, outsider.userId);
  assert.equal((await it.alerts.lists.one(it.admin, id, 'en')).assigned_to, outsider.userId);
});

test('each change of a rule is in the activity log, with who made it and what the rule is then; a refused one is not', async () => {
  await using it = await alertWorld();
  const { rules } = it.alerts;
  const fields = AlertRuleFields.parse({ kind: 'unknown_person', level: 'error' });
  const [one, other] = [await rules.add(it.admin, fields), await rules.add(it.admin, fields)];
  await rules.change(it.admin, one.id, { level: 'info', cameras: [it.yard] });
  await assert.rejects(rules.change(it.admin, other.id, { cameras: [uuidv7(0)] }));
  await rules.remove(it.admin, one.id);
  const all = await recorded(it.world.database.db);
  const entriesOf = ({ id }: { id: string }) =>
    all
      .filter(({ object_id }) => object_id === id)
      .map(({ action, user_id, details }) => [action, user_id, details]);
  const before = {
    kind: 'unknown_person',
    level: 'error',
    is_enabled: true,
    cameras: 'all',
    camera_groups: 0,
    categories: 0,
    schedule: false,
    modes: ['home', 'away'],
    quiet_minutes: 10,
  };
  const after = { ...before, level: 'info', cameras: 1 };
  const { userId } = it.admin;
  assert.deepEqual(entriesOf(one), [
    ['alert.rule_added', userId, before],
    ['alert.rule_changed', userId, after],
    ['alert.rule_deleted', userId, after],
  ]);
  assert.deepEqual(entriesOf(other), [['alert.rule_added', userId, before]]);
});
