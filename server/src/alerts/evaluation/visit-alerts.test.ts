import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOf, goesOn, type Lasting } from './lasting.ts';
import { VisitAlerts, type LivingAlert, type PeopleAlert } from './visit-alerts.ts';
import { isCaseOf, stillFits, type PeopleRule, type SeenVisit } from './visit-rules.ts';

const minuteMs = 60_000;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 15, 12) + minutes * minuteMs);

const aRule = (more: Partial<PeopleRule> = {}): PeopleRule => ({
  id: 'rule',
  kind: 'unknown_person',
  level: 'warning',
  camera_ids: null,
  camera_group_ids: [],
  category_ids: [],
  schedule: null,
  modes: ['home', 'away'],
  visits: 3,
  confidence_percent: 0,
  quiet_minutes: 10,
  ...more,
});

const seen = (id: string, minutes: number, more: Partial<SeenVisit> = {}): SeenVisit => ({
  id,
  camera_id: 'gate',
  camera_group_ids: [],
  mode: 'home',
  identity_id: `identity of ${id}`,
  stranger_id: `stranger of ${id}`,
  person_identity_id: null,
  category_id: null,
  confidence: null,
  nth: 1,
  started_at: at(minutes),
  shows: 'unknown',
  ...more,
});

const known = (id: string, minutes: number, more: Partial<SeenVisit> = {}): SeenVisit =>
  seen(id, minutes, {
    shows: 'person',
    person_identity_id: 'P',
    category_id: 'vip',
    confidence: 0.9,
    ...more,
  });

function taken(
  visits: readonly SeenVisit[],
  rules = [aRule()],
  living: readonly LivingAlert[] = [],
): VisitAlerts['outcome'] {
  const alerts = new VisitAlerts({ nowMs: at(0).getTime(), rules, living, counted: [] });
  for (const visit of visits) alerts.take(visit.id, visit);
  return alerts.outcome;
}

test('~ALR-012 an alert is over without a visit for the minutes of its rule, of strangers after an hour too', () => {
  const lasting: Lasting = { kind: 'watched_person', created_at: at(0), last_at: at(55) };
  assert.equal(endOf(lasting, 10), at(65).getTime());
  assert.equal(endOf({ ...lasting, kind: 'unknown_person' }, 10), at(60).getTime());
  assert.equal(endOf({ ...lasting, kind: 'unknown_person', last_at: at(5) }, 10), at(15).getTime());
  assert.equal(endOf({ ...lasting, last_at: at(-90) }, 10), at(0).getTime(), 'not before it began');
});

test('~ALR-012 a resolved alert goes on for the people who were in it alone', () => {
  const alert = { kind: 'unknown_person', created_at: at(0), last_at: at(5) } as const;
  const visit = (isNewcomer: boolean) => ({ startedAtMs: at(6).getTime(), isNewcomer });
  for (const status of ['new', 'in_progress'] as const) {
    assert.ok(goesOn({ ...alert, status }, 10, visit(true)), status);
  }
  for (const status of ['resolved', 'dismissed'] as const) {
    assert.ok(!goesOn({ ...alert, status }, 10, visit(true)), status);
    assert.ok(goesOn({ ...alert, status }, 10, visit(false)), status);
  }
});

test('~ALR-012 a rule is about its cameras, its categories, and what recognition decided', () => {
  assert.ok(isCaseOf(aRule(), seen('a', 0)));
  assert.ok(!isCaseOf(aRule({ camera_ids: ['hall'] }), seen('a', 0)));
  assert.ok(!isCaseOf(aRule({ camera_ids: [] }), seen('a', 0)));
  assert.ok(isCaseOf(aRule({ camera_ids: ['hall', 'gate'] }), seen('a', 0)));
  assert.ok(!isCaseOf(aRule(), known('a', 0)));
  assert.ok(!isCaseOf(aRule(), seen('a', 0, { shows: 'other' })));
  const watching = aRule({ kind: 'watched_person', category_ids: ['vip'] });
  assert.ok(isCaseOf(watching, known('a', 0)));
  assert.ok(!isCaseOf(watching, known('a', 0, { category_id: 'staff' })));
  assert.ok(!isCaseOf(watching, known('a', 0, { shows: 'other' })), 'a user named them');
  assert.ok(!isCaseOf({ ...watching, category_ids: [] }, known('a', 0)));
});

test('~ALR-012 anyone enrolled except some categories, as sure as the rule asks, and a stranger from a visit on', () => {
  const anyKnown = aRule({ kind: 'known_person', category_ids: ['staff', 'family'] });
  const sure = aRule({ kind: 'known_person', confidence_percent: 70 });
  const watched = aRule({
    kind: 'watched_person',
    category_ids: ['vip'],
    confidence_percent: 90,
  });
  const third = aRule({ kind: 'returning_stranger', visits: 3 });
  const cases: [string, PeopleRule, SeenVisit, boolean][] = [
    ['of another category', anyKnown, known('a', 0), true],
    ['of one that raises nothing', anyKnown, known('a', 0, { category_id: 'family' }), false],
    ['of no category', anyKnown, known('a', 0, { category_id: null }), true],
    ['named by a user', anyKnown, known('a', 0, { shows: 'other' }), false],
    ['unknown', anyKnown, seen('a', 0), false],
    // What is stored with 24 bits is a little less than 0.7.
    ['as sure as asked', sure, known('a', 0, { confidence: Math.fround(0.7) }), true],
    ['shown as less', sure, known('a', 0, { confidence: 0.694 }), false],
    ['never compared', sure, known('a', 0, { confidence: null }), false],
    ['watched and sure', watched, known('a', 0, { confidence: 0.9 }), true],
    ['watched and less sure', watched, known('a', 0, { confidence: 0.8 }), false],
    ['second visit', third, seen('a', 0, { nth: 2 }), false],
    ['third visit', third, seen('a', 0, { nth: 3 }), true],
    ['a later one', third, seen('a', 0, { nth: 9 }), true],
    ['an enrolled person', third, known('a', 0, { nth: 3 }), false],
  ];
  for (const [what, rule, visit, is] of cases) assert.equal(isCaseOf(rule, visit), is, what);
});

test('~ALR-012 each stranger who comes again has an alert of their own', () => {
  const third = aRule({ kind: 'returning_stranger' });
  const { begun } = taken(
    [
      seen('a', -9, { stranger_id: 'S', nth: 3 }),
      seen('b', -8, { stranger_id: 'T', nth: 4 }),
      seen('c', -7, { stranger_id: 'S', nth: 4 }),
      seen('d', -6, { stranger_id: 'U', nth: 2 }),
    ],
    [third],
  );
  assert.deepEqual(
    begun.map(({ subject, count, people }) => [subject, count, people]),
    [
      ['gate S', 2, 1],
      ['gate T', 1, 1],
    ],
  );
  const own = { kind: 'returning_stranger', subject: 'gate S' } as const;
  assert.ok(stillFits(own, seen('a', 0, { stranger_id: 'S' })));
  assert.ok(!stillFits(own, seen('a', 0, { stranger_id: 'T' })));
  assert.ok(stillFits(own, seen('a', 0, { stranger_id: 'S', shows: 'other' })));
  assert.ok(!stillFits(own, known('a', 0, { stranger_id: 'S' })));
});

test('~ALR-012 a visit leaves its alert when it is gone or shows another person, not when a user names it', () => {
  const unknown = { kind: 'unknown_person', subject: 'gate' } as const;
  const watched = { kind: 'watched_person', subject: 'gate P' } as const;
  assert.ok(!stillFits(unknown, null));
  assert.ok(!stillFits(unknown, known('a', 0)));
  assert.ok(stillFits(unknown, seen('a', 0)));
  assert.ok(stillFits(unknown, seen('a', 0, { shows: 'other' })));
  assert.ok(stillFits(watched, known('a', 0)));
  assert.ok(!stillFits(watched, known('a', 0, { person_identity_id: 'Q' })));
  assert.ok(!stillFits(watched, seen('a', 0)));
});

test('~ALR-012 strangers at a camera are one alert with a count, at two cameras two', () => {
  const same = { identity_id: 'I', stranger_id: 'S' };
  const { begun, changed, joined } = taken([
    seen('a', -9, same),
    seen('b', -5),
    seen('c', -4, same),
    seen('d', -3, { camera_id: 'hall' }),
  ]);
  assert.deepEqual(
    begun.map(({ camera_id, count, people, last_at }) => [camera_id, count, people, last_at]),
    [
      ['gate', 3, 2, at(-4)],
      ['hall', 1, 1, at(-3)],
    ],
  );
  assert.deepEqual(changed, []);
  assert.equal(joined.length, 4);
});

test('~ALR-012 an alert that is over before a visit ends then, and another begins', () => {
  const alert: PeopleAlert = {
    id: 'old',
    rule_id: 'rule',
    kind: 'unknown_person',
    level: 'warning',
    status: 'new',
    subject: 'gate',
    camera_id: 'gate',
    count: 4,
    people: 2,
    created_at: at(-40),
    last_at: at(-30),
    ended_at: null,
  };
  const old: LivingAlert = { ...alert, strangers: ['S'] };
  const visit = seen('a', -1, { stranger_id: 'S' });
  const over = taken([visit], [aRule()], [old]);
  assert.deepEqual(over.changed, [{ ...alert, ended_at: at(-20) }]);
  assert.deepEqual(
    over.begun.map(({ count, people }) => [count, people]),
    [[1, 1]],
  );
  const lasts = taken([visit], [aRule({ quiet_minutes: 30 })], [old]);
  assert.deepEqual(lasts.begun, []);
  assert.deepEqual(
    lasts.changed.map(({ count, people, last_at }) => [count, people, last_at]),
    [[5, 2, at(-1)]],
  );
});
