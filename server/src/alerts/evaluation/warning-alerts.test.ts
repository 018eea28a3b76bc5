import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertKinds } from '@nazar/contract/alerts.ts';
import { warningKinds } from '@nazar/contract/warnings.ts';
import type { Rule } from './enabled-rules.ts';
import { kindOf, ruleFor, wasRaised, type SeenWarning } from './warning-alerts.ts';

const aRule = (more: Partial<Rule>): Rule => ({
  id: 'rule',
  kind: 'system_warning',
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

const aWarning = (more: Partial<SeenWarning> = {}): SeenWarning => ({
  id: 'warning',
  kind: 'many_denials',
  details: {},
  count: 1,
  last_at: new Date(1_000),
  ended_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  camera_id: null,
  camera_group_ids: [],
  ...more,
});

test('~ALR-012 each kind of warning is of one kind of alert', () => {
  const found = Object.groupBy(warningKinds, kindOf);
  assert.deepEqual(found.camera_down, ['camera_down']);
  assert.deepEqual(found.camera_picture, ['camera_frozen', 'camera_covered']);
  assert.deepEqual(found.storage_low, ['disk_low', 'storage_short']);
  assert.deepEqual(found.recorder_failed, ['disk_full', 'folder_away', 'folder_hung']);
  assert.equal(found.system_warning?.length, warningKinds.length - 8);
  assert.deepEqual(
    Object.keys(found).filter((kind) => !alertKinds.includes(kind as never)),
    [],
  );
});

test('~ALR-012 the most important of the rules that are about a warning raises it', () => {
  const rules = [
    aRule({ id: 'low', level: 'info' }),
    aRule({ id: 'high', level: 'error' }),
    aRule({ id: 'other', kind: 'storage_low', level: 'critical' }),
  ];
  assert.equal(ruleFor(aWarning(), rules)?.ruleId, 'high');
  assert.equal(ruleFor(aWarning(), rules)?.level, 'error');
  assert.equal(ruleFor(aWarning({ kind: 'record_broken' }), rules)?.level, 'critical');
  assert.equal(ruleFor(aWarning({ kind: 'disk_full' }), rules), null);
});

for (const kind of ['camera_down', 'camera_frozen', 'camera_covered'] as const) {
  test(`~ALR-012 ${kind} is of the rules of that camera, and of none when it is gone`, () => {
    const warning = aWarning({ kind, camera_id: 'gate' });
    const at = (ids: string[] | null) => [aRule({ kind: kindOf(kind), camera_ids: ids })];
    assert.ok(ruleFor(warning, at(null)));
    assert.ok(ruleFor(warning, at(['hall', 'gate'])));
    assert.equal(ruleFor(warning, at(['hall'])), null);
    assert.equal(ruleFor({ ...warning, camera_id: null }, at(null)), null);
  });
}

test('~ALR-012 new figures of a warning are not the warning', () => {
  assert.ok(wasRaised(aWarning(), [new Date(1_000)]));
  assert.ok(wasRaised(aWarning(), [new Date(1_000), new Date(2_000)]));
  assert.ok(!wasRaised(aWarning(), [new Date(1_001)]));
  assert.ok(!wasRaised(aWarning(), []));
});
