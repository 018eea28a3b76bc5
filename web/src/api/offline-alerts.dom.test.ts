import { alertRoutes } from '@nazar/contract/alerts.ts';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertDetails, anAlert } from '#testing/alerts.ts';
import { answer, refusal } from '#testing/server.ts';
import { reachable } from './connection.ts';
import {
  alertChanges,
  alertRefusals,
  changeAlert,
  syncAlerts,
  syncAlertsWhenBack,
} from './offline-alerts.ts';

const alert = anAlert();
const resolved = { status: 'resolved', resolution_notes: 'Done.' } as const;
const refreshed = () => Promise.resolve();
const waiting = () => localStorage.getItem('alert-changes');

/** What a user did while the server was away. */
async function away(userId = 'me'): Promise<void> {
  answer(alertRoutes.updateStatus, HttpResponse.error());
  expect(await changeAlert(userId, alert.id, resolved)).toBeNull();
}

beforeEach(() => {
  alertChanges.set(new Map());
  alertRefusals.set([]);
  localStorage.removeItem('alert-changes');
});
afterEach(() => {
  vi.useRealTimers();
  reachable.set(true);
});

test('ALR-009 what waits is each user’s own, and is sent once', async () => {
  await away();
  expect(alertChanges.get().get(alert.id)).toEqual({ fields: resolved, isWaiting: true });
  const sent = answer(alertRoutes.updateStatus, { ...alert, status: 'resolved' });
  await syncAlerts('another', refreshed);
  expect(sent).toHaveLength(0);
  expect(alertChanges.get().size).toBe(0);
  await Promise.all([syncAlerts('me', refreshed), syncAlerts('me', refreshed)]);
  expect(sent.map(({ body }) => body)).toEqual([resolved]);
  expect(waiting()).toBeNull();
  expect(alertChanges.get().size).toBe(0);
});

test('it is sent when a request reaches the server again, and the lists are asked for once it is saved', async () => {
  await away();
  const asked = vi.fn(refreshed);
  reachable.set(false);
  const stop = syncAlertsWhenBack('me', asked);
  await vi.waitFor(() => expect(alertChanges.get().size).toBe(1));
  answer(alertRoutes.updateStatus, { ...alert, status: 'resolved' });
  reachable.set(true);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  await vi.waitFor(() => expect(waiting()).toBeNull());
  stop();
});

test('~CFL-051 what waits longer than a day is not sent any more', async () => {
  await away();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 25 * 60 * 60_000);
  const sent = answer(alertRoutes.updateStatus, { ...alert, status: 'resolved' });
  await syncAlerts('me', refreshed);
  expect(sent).toHaveLength(0);
});

test('what another user was faster with is refused, with the alert as it is now', async () => {
  await away();
  const now = alertDetails({ ...alert, status: 'dismissed', resolved_by: 'another' });
  answer(alertRoutes.updateStatus, refusal(409, 'alert_status_changed', 'Too late.'));
  answer(alertRoutes.read, now);
  await syncAlerts('me', refreshed);
  expect(alertRefusals.get()).toEqual([{ alert: alert.id, sentence: 'Too late.', now }]);
  expect(waiting()).toBeNull();
});

test('where only the answer was lost, what is as the user wanted it is no refusal', async () => {
  await away();
  answer(alertRoutes.updateStatus, refusal(409, 'alert_status_changed', 'Too late.'));
  answer(alertRoutes.read, alertDetails({ ...alert, status: 'resolved', resolved_by: 'me' }));
  await syncAlerts('me', refreshed);
  expect(alertRefusals.get()).toEqual([]);
  expect(waiting()).toBeNull();
});

test('a refusal at once is thrown, and nothing waits', async () => {
  answer(alertRoutes.updateStatus, refusal(403, 'forbidden', 'Not yours.'));
  await expect(changeAlert('me', alert.id, resolved)).rejects.toThrow('Not yours.');
  expect(waiting()).toBeNull();
  expect(alertChanges.get().size).toBe(0);
});

test('what another version kept is left alone', async () => {
  localStorage.setItem('alert-changes', '{"user_id":"me","changes":{}}');
  const sent = answer(alertRoutes.updateStatus, alert);
  await syncAlerts('me', refreshed);
  localStorage.setItem('alert-changes', 'not JSON');
  await syncAlerts('me', refreshed);
  expect(sent).toHaveLength(0);
});
