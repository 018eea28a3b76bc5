import { Camera, CameraHealth, StreamHealth } from '@nazar/contract/cameras.ts';
import { expect, test } from 'vitest';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { keepCameras, lastCameras } from './last-cameras.ts';

const AT = Date.parse('2026-01-02T03:04:05Z');
const DAY_MS = 24 * 60 * 60_000;

/** What only the server may keep: how a camera is reached, who made it, and free text about it. */
const secret = {
  description: 'Sees the desk of Rena',
  ip_address: '192.168.77.77',
  url: 'rtsp://192.168.1.20/secret-main',
  sub_url: 'rtsp://192.168.1.20/secret-sub',
  device_url: 'http://192.168.1.20/secret-device',
  username: 'secret-user',
  certificate: 'c0ffee'.repeat(10),
  created_by: { id: '018f0000-0000-7000-8000-00000000cafe', email: 'rena@example.org' },
};
const health = someHealth({
  retry_at: '2026-01-02T03:05:05.000Z',
  sound: 'aac',
  sub: { ...someHealth(), sub: undefined } as never,
});
const full: Camera = aCamera({ ...secret, health });

test('CFL-051, C-1010 the copy holds what the list shows of a camera and nothing else', () => {
  // A field that joins the contract is filled here, or this fails.
  expect(Object.keys(full).sort()).toEqual(Object.keys(Camera.shape).sort());
  expect(Object.keys(health).sort()).toEqual(Object.keys(CameraHealth.shape).sort());
  const later = { ...full, password: 'hidden-later', health: { ...health, address: '10.9.8.7' } };
  keepCameras('me', { count: 1, results: [later] }, AT);
  const kept = JSON.stringify(localStorage);
  const texts = Object.values(secret).flatMap((value) =>
    typeof value === 'string' ? [value] : Object.values(value),
  );
  for (const text of [...texts, 'hidden-later', '10.9.8.7']) expect(kept).not.toContain(text);
  const [camera] = lastCameras('me', AT)?.page.results ?? [];
  expect(camera).toMatchObject({
    id: full.id,
    name: full.name,
    location: full.location,
    health: { state: 'live', retry_at: health.retry_at },
  });
  expect(Camera['~standard'].validate(camera)).not.toHaveProperty('issues');
  expect(Object.keys(camera?.health.sub ?? {}).sort()).toEqual(
    Object.keys(StreamHealth.shape).sort(),
  );
});

test('CFL-051 a copy is its user’s own', () => {
  keepCameras('me', { count: 1, results: [full] }, AT);
  expect(lastCameras('me', AT)?.at).toBe(AT);
  expect(lastCameras('somebody else', AT)).toBeNull();
});

test('CFL-051 a copy lives 24 h at most, and is gone then', () => {
  keepCameras('me', { count: 1, results: [full] }, AT);
  expect(lastCameras('me', AT + DAY_MS - 1)).not.toBeNull();
  expect(lastCameras('me', AT + DAY_MS)).toBeNull();
  expect(localStorage.getItem('cameras')).toBeNull();
});

test('a copy whose time has not come yet is none: the clock was set back', () => {
  keepCameras('me', { count: 1, results: [full] }, AT);
  expect(lastCameras('me', AT - 1)).toBeNull();
  expect(localStorage.getItem('cameras')).toBeNull();
});

test.each([
  ['no JSON', '{'],
  ['another thing', '7'],
  ['one without a time', JSON.stringify({ user_id: 'me', value: { count: 0, results: [] } })],
  [
    'one of another version',
    JSON.stringify({ user_id: 'me', at: AT, page: { count: 1, results: [full] } }),
  ],
  [
    'a list of something else',
    JSON.stringify({ user_id: 'me', at: AT, value: { count: 1, results: [{ id: 'a' }] } }),
  ],
])('%s is no copy', (_what, text) => {
  localStorage.setItem('cameras', text);
  expect(lastCameras('me', AT)).toBeNull();
});
