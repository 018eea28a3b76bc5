import { accountRoutes } from '@nazar/contract/accounts.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { answer } from '#testing/server.ts';
import { call } from './call.ts';

afterEach(() => vi.useRealTimers());

test('H-15, C-204 a request while the user is away is marked as a poll, and after a deed it is not', async () => {
  const seen = answer(accountRoutes.me, aUser());
  const isPoll = async (): Promise<boolean> => {
    await call(accountRoutes.me, {});
    return seen.at(-1)?.headers.get('x-poll') === '1';
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  globalThis.dispatchEvent(new Event('keydown'));
  expect(await isPoll()).toBe(false);
  vi.setSystemTime(Date.now() + 59_999);
  expect(await isPoll()).toBe(false);
  vi.setSystemTime(Date.now() + 1);
  expect(await isPoll()).toBe(true);
  for (const deed of ['pointerdown', 'keydown', 'wheel', 'touchstart']) {
    vi.setSystemTime(Date.now() + 120_000);
    expect(await isPoll()).toBe(true);
    globalThis.dispatchEvent(new Event(deed));
    expect(await isPoll(), deed).toBe(false);
  }
});
