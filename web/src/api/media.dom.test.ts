import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { HttpResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, refusal } from '#testing/server.ts';
import { address } from './call.ts';
import { forgetMedia, media } from './media.ts';

const id = '22222222-2222-4222-8222-222222222222';
const picture = address(cameraRoutes.snapshot.path, { params: { id } });

afterEach(() => {
  vi.useRealTimers();
  forgetMedia();
});

test('one picture is fetched once, with the token, for all who show it', async () => {
  localStorage.setItem('auth-token', 'good');
  const asked = answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  const [one, other] = [media(picture), media(picture)];
  expect(await one.url).toBe(await other.url);
  expect(asked.map((seen) => seen.headers.get('authorization'))).toEqual(['Bearer good']);
});

test('C-1010 a picture that is no longer shown is released, and not before', async () => {
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  const [one, other] = [media(picture), media(picture)];
  const url = await one.url;
  vi.useFakeTimers();
  one.release();
  one.release();
  await vi.advanceTimersByTimeAsync(60_000);
  // A picture of a test before may be given back late.
  const given = () => revoked.mock.calls.filter(([one]) => one === url);
  expect(given()).toHaveLength(0);
  other.release();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given()).toHaveLength(1);
});

test('a picture that is not there is asked for with pauses that double, however often it is shown', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const asked = answer(cameraRoutes.snapshot, refusal(404, 'snapshot_not_ready', 'Not yet.'));
  // As a list of two minutes draws it, and a tile beside it.
  for (let second = 0; second < 120; second += 1) {
    vi.setSystemTime(second * 1000);
    for (const version of [second, second + 1]) {
      await expect(media(`${picture}?v=${version}`).url).rejects.toMatchObject({ status: 404 });
    }
  }
  // At 0, 5, 15, 35 and 75 s.
  expect(asked).toHaveLength(5);
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  vi.setSystemTime(135_000);
  expect(await media(`${picture}?v=x`).url).toMatch(/^blob:/);
});

test('a server that does not answer is no missing picture, and another picture is asked for at once', async () => {
  const other = address(cameraRoutes.snapshot.path, {
    params: { id: '33333333-3333-4333-8333-333333333333' },
  });
  answer(cameraRoutes.snapshot, refusal(404, 'snapshot_not_ready', 'Not yet.'));
  await expect(media(picture).url).rejects.toMatchObject({ status: 404 });
  answer(cameraRoutes.snapshot, refusal(503, 'internal', ''));
  await expect(media(other).url).rejects.toMatchObject({ status: 503 });
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  expect(await media(other).url).toMatch(/^blob:/);
});
