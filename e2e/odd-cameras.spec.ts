/// <reference lib="dom" />
/** Cameras and films that follow no standard, once each on the page: their picture moves, and goes on moving. */
import { createServer, type Server } from 'node:http';
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { untilLive } from './cameras.ts';
import { makeFilm, smallFilm, type Film } from './farm/film.ts';
import { closeHttp, listenOnLoopback } from './farm/loopback.ts';
import { makeMp4 } from './farm/mp4-film.ts';
import { RtspCamera, type Quirk } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const film = makeFilm();
/** Groups of a second, so that it is joined in the middle. */
const open = makeFilm({ ...smallFilm, pictures: 240, gop: 24 }, false, {
  bFrames: 3,
  openGop: true,
});
const unsaid = makeFilm(smallFilm, false, { bFrames: 3, withoutDepth: true });
const alternating = inTurns(makeFilm({ ...smallFilm, gop: 5 }), smallFilm.gop / 5);

interface Odd {
  readonly name: string;
  readonly film?: Film;
  readonly quirk?: Quirk;
}

const odd: readonly Odd[] = [
  { name: 'Open groups', film: open },
  { name: 'Unsaid depth', film: unsaid },
  { name: 'Alternating sets', film: alternating },
  { name: 'Joined units', quirk: 'joined-units' },
  { name: 'Session with each stream', quirk: 'session-each' },
  { name: 'Base without a scheme', quirk: 'bare-base' },
  { name: 'Base as a path', quirk: 'path-base' },
  { name: 'UDP for TCP', quirk: 'grants-udp' },
  { name: 'No range', quirk: 'no-range' },
];

let nazar: Installation;
let access: string;
let films: Server;
const farm = new AsyncDisposableStack();

/** Groups of two encoders in turn, with other parameter sets each. */
function inTurns(mine: Film, groups: number): Film {
  const theirs = makeFilm({ ...smallFilm, gop: 5 }, false, { withoutDepth: true });
  const units = Array.from({ length: 2 * groups }, (_, index) =>
    [mine, theirs].flatMap((of) => of.units.slice(index * 5, index * 5 + 5)),
  ).flat();
  return { ...smallFilm, gop: 5, units, isKey: (index) => index % 5 === 0 };
}

test.beforeAll(async () => {
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const mp4 = await makeMp4(makeFilm({ ...smallFilm, pictures: 100, gop: 100 }));
  films = createServer((request, response) => {
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
    const body = mp4.subarray(Number(from ?? 0));
    response.writeHead(from === undefined ? 200 : 206, {
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'content-length': body.length,
      ...(from === undefined
        ? {}
        : { 'content-range': `bytes ${from}-${mp4.length - 1}/${mp4.length}` }),
    });
    response.end(body);
  });
});
test.afterAll(async () => {
  await nazar.remove();
  await farm.disposeAsync();
  await closeHttp(films);
});

async function add(name: string, url: string): Promise<string> {
  const type = url.startsWith('rtsp') ? 'rtsp' : 'http';
  const form = { name, location: 'Farm', type, status: 'active', url };
  const { id } = await nazar.post<Camera>('/secure-api/cameras/', access, form);
  await untilLive(nazar, access, id, 30_000);
  return id;
}

/** Opens the live view and waits until two seconds were played. */
async function watch(page: Page, id: string): Promise<void> {
  await page.goto(`${nazar.origin}/cameras/${id}`);
  const video = page.locator('[role=dialog] video');
  await video.waitFor();
  const played = () =>
    video.evaluate((one: HTMLVideoElement) => ({
      sum: Array.from({ length: one.played.length }, (_, index) => {
        return one.played.end(index) - one.played.start(index);
      }).reduce((sum, part) => sum + part, 0),
      fault: one.error?.message ?? null,
    }));
  await expect.poll(async () => (await played()).sum, { timeout: 30_000 }).toBeGreaterThan(2);
  expect((await played()).fault).toBeNull();
}

test('cameras beyond any standard are played on the page', async ({ page }) => {
  test.setTimeout(240_000);
  const cameras = new Map<string, string>();
  for (const { name, ...given } of odd) {
    const options = { film: given.film ?? film, ...(given.quirk ? { quirk: given.quirk } : {}) };
    const camera = farm.use(await RtspCamera.start(options));
    cameras.set(name, await add(name, camera.url));
  }
  const port = await listenOnLoopback(films);
  cameras.set('Film by HTTP', await add('Film by HTTP', `http://127.0.0.1:${port}/film.mp4`));
  await signInOn(page, nazar);
  for (const [name, id] of cameras) await test.step(name, () => watch(page, id));
});
