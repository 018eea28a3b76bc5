/**
 * All of R-05: cameras of every kind that send something wrong at each connection, in one host with a good one that
 * is recorded, analyzed and viewed all the while. `NAZAR_TEST_INPUTS` sets how many inputs (210), `NAZAR_TEST_SEED`
 * repeats a run.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { HostileCamera } from '#testing/hostile-media/hostile-camera.ts';
import { goodSessions } from '#testing/hostile-media/sessions.ts';
import {
  aCamera,
  hostsOf,
  mediaFolder,
  openStubMedia,
  until,
  type StubFace,
} from '#testing/media.ts';
import { timeOf } from './mp4/boxes.ts';
import type { Media, Viewer } from './media.ts';
import type { MediaCamera } from './protocol/messages.ts';

const inputs = Number(process.env['NAZAR_TEST_INPUTS'] ?? 210);
const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const timeout = 60_000 + inputs * 500;
/** The seeds of two cameras are so far apart. */
const seedsApart = 1_000_000;

/** Counts pictures, and those that are missing. */
class Witness implements Viewer {
  pictures = 0;
  lost = 0;
  streams = 0;
  readonly #ticks: number;
  #last: number | null = null;

  constructor(fps: number) {
    this.#ticks = 90_000 / fps;
  }

  text(json: string): void {
    if ((JSON.parse(json) as { kind: string }).kind === 'stream') this.streams += 1;
  }

  binary(bytes: Uint8Array): void {
    const time = timeOf(Buffer.from(bytes))?.decode;
    if (time === undefined) return;
    if (this.#last !== null) this.lost += Math.round((time - this.#last) / this.#ticks) - 1;
    this.#last = time;
    this.pictures += 1;
  }

  queuedBytes(): number {
    return 0;
  }

  close(): void {}
}

/** Waits until each attempt ended; then the camera is changed, which is tried at once. */
async function send(media: Media<StubFace>, camera: HostileCamera, id: string, count: number) {
  let version = 0;
  const next = (): MediaCamera =>
    aCamera(id, camera.url, {
      type: camera.session.scheme,
      password: String(version++),
      faceRecognition: true,
    });
  const done = Promise.withResolvers<void>();
  using _ = media.healthChanged.on(({ cameraId, health }) => {
    if (cameraId !== id) return;
    // A snapshot of a wrong stream gives a picture or none.
    if (health.state === 'live') void media.snapshot(id).catch(() => undefined);
    if (health.retry_at === null) return;
    if (camera.served >= count) done.resolve();
    else media.watch(next());
  });
  media.watch(next());
  await done.promise;
  return next;
}

/** Milliseconds from the first good byte to the state `live`. */
async function heal(
  media: Media<StubFace>,
  camera: HostileCamera,
  id: string,
  next: () => MediaCamera,
) {
  camera.isGood = true;
  media.watch(next());
  await until(media, id, 'live');
  return performance.now() - (camera.goodAtMs ?? NaN);
}

const memoryOf = (pid: number): string =>
  /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0';

function tell(t: TestContext, pid: number, open: number, healedMs: readonly number[]): void {
  const peak = Math.round(Number(memoryOf(pid)) / 1024);
  const now = readdirSync(`/proc/${pid}/fd`).length;
  t.diagnostic(`the host: ${peak} MiB at most, ${open} open files before and ${now} after`);
  const back = healedMs.toSorted((a, b) => a - b).map((ms) => Math.round(ms));
  t.diagnostic(`live after good bytes, ms: ${back.join(' ')}`);
}

test(
  `R-05 C-515 ${inputs} inputs with something wrong in them: the server stays, no other camera loses a picture, and good bytes are shown`,
  { timeout },
  async (t) => {
    const sessions = await goodSessions();
    const film = makeFilm();
    using folder = mediaFolder();
    await using good = await RtspCamera.start({ film });
    await using hostile = new AsyncDisposableStack();
    await using media = openStubMedia(folder, { camerasPerHost: 1 + sessions.length });
    media.watch(aCamera('good', good.url));
    await until(media, 'good', 'live');
    const witness = new Witness(film.fps);
    using _ = media.join('good', witness);
    const [pid] = [...hostsOf(folder).values()];
    const open = readdirSync(`/proc/${pid}/fd`).length;
    let faults = 0;
    using _faults = media.healthChanged.on(({ cameraId, health }) => {
      if (cameraId === 'good' && health.cause === 'host_restarting') faults += 1;
    });
    const each = Math.ceil(inputs / sessions.length);
    const cameras = await Promise.all(
      sessions.map(async (session, index) =>
        hostile.use(await HostileCamera.start(session, seed + index * seedsApart)),
      ),
    );
    const startedMs = performance.now();
    const healedMs = await Promise.all(
      cameras.map(async (camera, index) => {
        const id = `hostile-${index}`;
        const plan = { folder: join(folder.path, 'recordings'), type: 'continuous' } as const;
        media.record(id, { ...plan, recordedUntilMs: 0, height: 2160 });
        const next = await send(media, camera, id, each);
        return await heal(media, camera, id, next);
      }),
    );
    const seconds = (performance.now() - startedMs) / 1000;
    t.diagnostic(`seed ${seed}; ${each * sessions.length} inputs in ${seconds.toFixed(0)} s`);
    if (faults > 0)
      t.diagnostic(JSON.stringify(cameras.map(({ session, kinds }) => [session.name, kinds])));
    tell(t, [...hostsOf(folder).values()][0]!, open, healedMs);
    t.diagnostic(`the good camera: ${witness.pictures} pictures, ${witness.lost} lost`);
    assert.equal(faults, 0, 'faults of the host');
    assert.equal(witness.lost, 0);
    assert.deepEqual([witness.streams, good.connections], [1, 1]);
  },
);
