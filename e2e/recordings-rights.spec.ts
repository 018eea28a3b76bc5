/// <reference lib="dom" />
/** Who reaches what a camera recorded, each in a browser of their own, and what a privacy mask leaves of it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { RecordingExport } from '@nazar/contract/exports.ts';
import type { Recording } from '@nazar/contract/recordings.ts';
import { contentsOf } from '../server/src/testing/film.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, until } from './installation.ts';
import { createPerson, grantCamera, signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const password = administrator.password;
/** Who there is besides the administrator, and what is granted them of the camera. */
const people = {
  watcher: { role: 'user', granted: ['live'] },
  viewer: { role: 'user', granted: ['live', 'recordings'] },
  operator: { role: 'operator', granted: [] },
} as const;
type Who = keyof typeof people;
const emailOf = (who: Who): string => `${who}@example.org`;
/** After that what was taken is over. */
const overMs = 15_000;

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let cameraId: string;
let recording: Recording;
const grants = new Map<Who, string>();

const names = Object.keys(people) as Who[];

test.beforeAll(async () => {
  test.setTimeout(120_000);
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const form = { name: 'Door', location: 'Hall', type: 'rtsp', status: 'active', url: farm.url };
  ({ id: cameraId } = await nazar.addUnrecorded(access, form));
  for (const who of names) await invite(who);
  const path = `/secure-api/cameras/${cameraId}/`;
  await untilLive(nazar, access, cameraId, 40_000);
  const toggle = (is_recording: boolean): Promise<Response> =>
    nazar.call('PATCH', `${path}toggle_recording/`, { access, body: { is_recording } });
  expect((await toggle(true)).ok).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 24_000));
  expect((await toggle(false)).ok).toBe(true);
  const list = `/secure-api/recordings/?camera=${cameraId}`;
  const saved = await until(
    'saved',
    () => nazar.get<{ results: Recording[] }>(list, access),
    ({ results: [one] }) => one?.isActive === false,
    20_000,
  );
  recording = saved.results[0]!;
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

async function invite(who: Who): Promise<void> {
  const { role, granted } = people[who];
  const email = emailOf(who);
  createPerson(nazar, { email, role, lastName: who });
  if (granted.length === 0) return;
  const grant = { email, cameraId, capabilities: granted };
  grants.set(who, await grantCamera(nazar, access, grant));
}

async function tokenOf(who: Who): Promise<string> {
  const body = { email: emailOf(who), password };
  const reply = await nazar.call('POST', '/secure-api/accounts/login/', { body });
  return ((await reply.json()) as { access: string }).access;
}

/** A browser of their own, on the page of the camera's recordings. */
async function open(browser: Browser, email: string, rest = ''): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signInOn(page, nazar, email);
  await page.goto(`${nazar.origin}/recordings/${cameraId}${rest}`);
  return page;
}

const play = (page: Page): Promise<void> =>
  page.getByRole('listitem').getByRole('button').first().click();

/** How far the video has played, in seconds of its own; null: it shows no picture. */
const played = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('main video');
    return video && video.videoWidth > 0 && video.readyState >= 2 ? video.currentTime : null;
  });

async function moves(page: Page): Promise<void> {
  await expect.poll(() => played(page), { timeout: 30_000 }).not.toBeNull();
  const from = (await played(page))!;
  await expect.poll(() => played(page)).toBeGreaterThan(from + 0.5);
}

test('~C-301 each reaches by page and by request what was granted, and no more', async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const boss = await open(browser, administrator.email);
  await play(boss);
  await moves(boss);
  await expect(boss.getByRole('button', { name: 'Delete', exact: true })).toBeEnabled();

  const viewer = await open(browser, emailOf('viewer'));
  await play(viewer);
  await moves(viewer);
  await expect(viewer.getByRole('button', { name: 'Download' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0);

  const watcher = await open(browser, emailOf('watcher'));
  await expect(watcher.getByText("You can't play this camera's recordings")).toBeVisible();
  await expect(watcher.locator('main video')).toHaveCount(0);

  const operator = await open(browser, emailOf('operator'));
  await expect(operator.locator('main video')).toHaveCount(0);
  await expect(operator.getByText('Door')).toHaveCount(0);

  const asked = async (who: Who): Promise<number[]> => {
    const token = await tokenOf(who);
    const period = { from: recording.startTime, until: recording.endTime };
    const replies = [
      await nazar.call('GET', `/secure-api/recordings/${recording.id}/`, { access: token }),
      await nazar.call('GET', `/secure-api/cameras/${cameraId}/timeline/`, { access: token }),
      await nazar.call('GET', `/secure-api/cameras/${cameraId}/still/`, { access: token }),
      await nazar.call('POST', `/secure-api/cameras/${cameraId}/playback/`, {
        access: token,
        body: period,
      }),
    ];
    return replies.map(({ status }) => status);
  };
  expect(await asked('viewer')).toEqual([200, 200, 200, 201]);
  expect(await asked('watcher')).toEqual([404, 403, 403, 403]);
  expect(await asked('operator')).toEqual([404, 404, 404, 404]);
  for (const page of [boss, viewer, watcher, operator]) await page.context().close();
});

/** By how much the brightness of the left half of a picture varies, and that of the right, off their borders. */
async function spreadsOf(
  image: Buffer,
  raw?: { width: number; height: number; channels: 3 },
): Promise<[number, number]> {
  const { data, info } = await sharp(image, raw && { raw })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const half = Math.floor(info.width / 2);
  const of = (left: number): number => {
    let [lowest, highest] = [255, 0];
    for (let y = 4; y < info.height - 4; y++) {
      const start = (y * info.width + left) * info.channels;
      for (let x = 0; x < half - 12; x++) {
        const value = data[start + x * info.channels]!;
        [lowest, highest] = [Math.min(lowest, value), Math.max(highest, value)];
      }
    }
    return highest - lowest;
  };
  return [of(4), of(half + 8)];
}

/** What stands on the right of a masked picture; the left must show that there is a picture at all. */
function expectMasked([left, right]: [number, number], what: string): void {
  expect(left, `${what}: its left half shows something`).toBeGreaterThan(40);
  expect(right, `${what}: its right half shows nothing`).toBeLessThan(12);
}

/** The picture on the page, read back. */
const canvasOf = async (page: Page): Promise<Buffer> => {
  const url = await page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('main video')!;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext('2d')!.drawImage(video, 0, 0);
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
};

test('under a privacy mask nothing is seen in player, thumbnail, still and film', async ({
  browser,
}) => {
  test.setTimeout(150_000);
  const right = [
    [0.5, 0],
    [1, 0],
    [1, 1],
    [0.5, 1],
  ];
  const body = { zones: [{ kind: 'privacy', name: 'Right', points: right }] };
  const drawn = await nazar.call('PUT', `/secure-api/cameras/${cameraId}/zones/`, { access, body });
  expect(drawn.ok).toBe(true);

  const page = await open(browser, emailOf('viewer'));
  await play(page);
  await moves(page);
  expectMasked(await spreadsOf(await canvasOf(page)), 'player');
  await page.context().close();

  const token = await tokenOf('viewer');
  const jpeg = async (path: string): Promise<Buffer> => {
    const reply = await nazar.call('GET', path, { access: token });
    expect(reply.status).toBe(200);
    return Buffer.from(await reply.arrayBuffer());
  };
  const base = `/secure-api/cameras/${cameraId}`;
  const at = new Date(Date.parse(recording.startTime) + 15_000).toISOString();
  const stills = await nazar.get<{ results: { jpeg: string }[] }>(
    `${base}/stills/?from=${recording.startTime}&until=${recording.endTime}`,
    token,
  );
  expect(stills.results.length).toBeGreaterThan(0);
  const pictures = [
    await jpeg(`/secure-api/recordings/${recording.id}/thumbnail/`),
    await jpeg(`${base}/thumbnail/?at=${at}`),
    await jpeg(`${base}/still/?at=${at}`),
    ...stills.results.map((one) => Buffer.from(one.jpeg, 'base64')),
  ];
  for (const [index, picture] of pictures.entries()) {
    expectMasked(await spreadsOf(picture), `picture ${index}`);
  }

  const path = '/secure-api/recordings/exports/';
  const period = { from: recording.startTime, until: at };
  const asked = await nazar.post<{ results: RecordingExport[] }>(path, token, {
    cameras: [cameraId],
    ...period,
  });
  const film = await until(
    'film',
    () => nazar.get<RecordingExport>(`${path}${asked.results[0]!.id}/`, token),
    ({ status }) => status === 'done' || status === 'failed',
    90_000,
  );
  expect(film).toMatchObject({ status: 'done', masked: true });
  const file = join(nazar.folder, 'masked.mp4');
  writeFileSync(file, await jpeg(`${path}${film.id}/file/`));
  const seen: Buffer[] = [];
  let size = { width: 0, height: 0, channels: 3 as const };
  await contentsOf(file, (rgb, width, height) => {
    size = { width, height, channels: 3 };
    seen.push(Buffer.from(rgb));
  });
  for (const rgb of [seen[0]!, seen.at(-1)!]) {
    expectMasked(await spreadsOf(rgb, size), 'film');
  }

  const boss = await open(browser, administrator.email);
  await play(boss);
  await moves(boss);
  // The user who drew the mask sees what is behind it: the picture of this test has something in it.
  const [, hidden] = await spreadsOf(await canvasOf(boss));
  expect(hidden).toBeGreaterThan(40);
  await boss.context().close();
  await nazar.call('PUT', `/secure-api/cameras/${cameraId}/zones/`, {
    access,
    body: { zones: [] },
  });
});

test('a grant that is taken while it plays ends it', async ({ browser }) => {
  test.setTimeout(90_000);
  const page = await open(browser, emailOf('viewer'));
  await play(page);
  await moves(page);
  const taken = await nazar.call('DELETE', `/secure-api/cameras/grants/${grants.get('viewer')!}/`, {
    access,
  });
  expect(taken.status).toBe(204);
  await expect.poll(() => played(page), { timeout: overMs }).toBeNull();
  await expect(page.locator('main li')).toHaveCount(0);
  await expect(page.getByRole('main')).toContainText("You can't see this camera");
  await page.context().close();
});
