/** many cameras that go and come back together, by real hosts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { makeFilm, smallFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { timeOf } from './mp4/boxes.ts';

const film = makeFilm({ ...smallFilm, fps: 5, gop: 5, pictures: 20 });
const cameras = 64;
const timeout = 240_000;
/** Without jitter all would fall into one slot; with it 64 in 0.75 s are 9 on average, and 24 never. */
const slotMs = 100;
const mostInSlot = 24;

/** The largest number of retries at about the same moment. */
function fullestSlot(delaysMs: readonly number[]): number {
  const slots = new Map<number, number>();
  for (const delayMs of delaysMs) {
    const slot = Math.floor(delayMs / slotMs);
    slots.set(slot, (slots.get(slot) ?? 0) + 1);
  }
  return Math.max(...slots.values());
}

const waitOf = ({ since, retry_at }: CameraHealth): number =>
  Date.parse(retry_at ?? '') - Date.parse(since ?? '');

test(
  'R-04 64 cameras that come back at once make no stampede, and cost a healthy one nothing',
  { timeout },
  async (t) => {
    using folder = mediaFolder();
    await using stack = new AsyncDisposableStack();
    const farm: RtspCamera[] = [];
    for (let number = 0; number <= cameras; number++) {
      farm.push(stack.use(await RtspCamera.start({ film })));
    }
    const media = stack.use(openMedia(folder, { camerasPerHost: 16 }));
    const [healthy, ...others] = farm.map((camera, number) => ({ camera, id: `c${number}` }));
    for (const { id, camera } of [healthy!, ...others]) media.watch(aCamera(id, camera.url));
    for (const { id } of [healthy!, ...others]) await until(media, id, 'live');
    const viewer = new Watcher();
    using _viewer = media.join(healthy!.id, viewer);
    await viewer.has(5);

    const waitsMs = new Map<string, number>();
    using _news = media.healthChanged.on(({ cameraId, health }) => {
      if (health.cause === 'ended') waitsMs.set(cameraId, waitOf(health));
    });
    for (const { camera } of others) {
      camera.behaviour = { kind: 'missing' };
      camera.cut();
    }
    for (const { id } of others) await until(media, id, 'offline', 'not_found');
    assert.equal(waitsMs.size, cameras);
    const fullest = fullestSlot([...waitsMs.values()]);
    assert.ok(fullest <= mostInSlot, `${fullest} of ${cameras} come back within ${slotMs} ms`);

    const returnedMs = performance.now();
    const backMs: number[] = [];
    for (const { camera } of others) camera.behaviour = { kind: 'ok' };
    await Promise.all(
      others.map(async ({ id }) => {
        await until(media, id, 'live');
        backMs.push(Math.round(performance.now() - returnedMs));
      }),
    );
    const sorted = backMs.toSorted((a, b) => a - b);
    t.diagnostic(
      `back after ${sorted[31]} ms (median), ${sorted[60]} ms (95 %), ${sorted.at(-1)} ms`,
    );
    const times = viewer.pieces.slice(1).map((piece) => timeOf(piece)!.decode);
    const steps = times.slice(1).map((time, index) => time - times[index]!);
    assert.ok(steps.length > 10 && steps.every((step) => step === 90_000 / film.fps));
    assert.equal(healthy!.camera.connections, 1);
  },
);
