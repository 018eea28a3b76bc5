import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertKinds } from '@nazar/contract/alerts.ts';
import { firstWishes, wishesAlert } from './wishes.ts';

test('~NSH-007 without unknown people no alert about one is wished for, and all others are', () => {
  const wishes = { ...firstWishes, notify_on_unknown: false };
  const alert = { level: 'error', camera_id: null, people: [] } as const;
  const unwished = alertKinds.filter((kind) => !wishesAlert(wishes, { ...alert, kind }));
  assert.deepEqual(unwished, ['unknown_person', 'returning_stranger']);
  assert.ok(alertKinds.every((kind) => wishesAlert(firstWishes, { ...alert, kind })));
});
