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

test('C-1010 a picture that nobody shows is given back, and not before', async () => {
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

test('a picture that could not be had may be asked for again', async () => {
  answer(cameraRoutes.snapshot, refusal(404, 'snapshot_not_ready', 'Not yet.'));
  await expect(media(picture).url).rejects.toMatchObject({ status: 404 });
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  expect(await media(picture).url).toMatch(/^blob:/);
});
