import { activityRoutes } from '@nazar/contract/activity.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { answer } from '#testing/server.ts';
import { reachable } from './connection.ts';
import {
  forgetEntries,
  keepEntry,
  syncEntries,
  syncWhenBack,
  waitingEntries,
} from './offline-entries.ts';

afterEach(() => {
  vi.useRealTimers();
  forgetEntries();
});

const entry = (id: string) => ({ id, action: 'create', description: 'On the way' }) as const;

test('LOG-048, CFL-044 entries made offline are each user’s own, and sent once', async () => {
  keepEntry('me', entry('a'));
  keepEntry('me', entry('b'));
  expect(waitingEntries.get()).toBe(2);
  let sent = 0;
  answer(activityRoutes.sync, () => {
    sent += 1;
    return { accepted: ['a', 'b'], added: 2 };
  });
  expect(await syncEntries('somebody else')).toBe(0);
  const both = await Promise.all([syncEntries('me'), syncEntries('me')]);
  expect(both).toEqual([2, 0]);
  expect(await syncEntries('me')).toBe(0);
  expect(sent).toBe(1);
  expect(localStorage.getItem('activity-logs')).toBeNull();
});

test('~CFL-051 entries that wait longer than a day are not sent any more', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  keepEntry('me', entry('a'));
  vi.setSystemTime(Date.now() + 25 * 60 * 60_000);
  expect(await syncEntries('me')).toBe(0);
  expect(waitingEntries.get()).toBe(0);
});

test('LOG-048 they are sent when a request reaches the server again', async () => {
  reachable.set(false);
  const stop = syncWhenBack('me');
  keepEntry('me', entry('a'));
  answer(activityRoutes.sync, { accepted: ['a'], added: 1 });
  reachable.set(true);
  await vi.waitFor(() => expect(waitingEntries.get()).toBe(0));
  stop();
});
