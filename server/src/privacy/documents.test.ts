import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settingsSections } from '@nazar/contract/settings.ts';

const folder = join(import.meta.dirname, '../../../docs/guide/privacy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('C-1012 the forms that operators of cameras must fill in are there, and the overview leads to each', () => {
  const forms = ['dpia-template', 'records-of-processing', 'retention-policy', 'signage'];
  const overview = read('overview.md');
  for (const form of forms) assert.ok(overview.includes(`(${form}.md)`), form);
  assert.deepEqual(
    readdirSync(folder).sort(),
    [...forms, 'overview'].map((name) => `${name}.md`).sort(),
  );
});

test('C-1006 the written policy is the one that is kept before anyone changes it', () => {
  const { unknownFaceDays, faceLogDays, activityNoteDays, unseenPersonDays } =
    settingsSections.privacy.defaults;
  const policy = read('retention-policy.md');
  assert.match(policy, new RegExp(`nobody has added \\| ${unknownFaceDays} days`));
  assert.match(policy, new RegExp(`Visits .*\\| ${faceLogDays} days`));
  assert.match(policy, new RegExp(`Texts .*\\| ${activityNoteDays} days`));
  assert.equal(unseenPersonDays, 0);
  assert.match(policy, /removes nobody by age unless/);
  const overview = read('overview.md');
  for (const days of [unknownFaceDays, faceLogDays, activityNoteDays]) {
    assert.ok(overview.includes(`${days} days`), `${days} days`);
  }
});
