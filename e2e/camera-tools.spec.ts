/// <reference lib="dom" />
/** What is done with a camera beside watching it: its picture with little delay, moving it, and finding it at all. */
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { deviceRoutes } from '@nazar/contract/devices.ts';
import { untilLive } from './cameras.ts';
import { makeFilm, type Film } from './farm/film.ts';
import { OnvifCamera } from './farm/onvif-camera.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

let nazar: Installation;
let film: Film;
let farm: RtspCamera;
let dome: OnvifCamera;
let camera: Camera;

test.beforeAll(async () => {
  film = makeFilm();
  farm = await RtspCamera.start({ film });
  dome = await OnvifCamera.start({ moves: true, streamUrls: [farm.url, `${farm.url}2`] });
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  camera = await nazar.post<Camera>('/secure-api/cameras/', access, {
    name: 'Entrance',
    location: 'Hall',
    type: 'rtsp',
    status: 'active',
    url: farm.url,
    device_url: dome.url,
  });
  await untilLive(nazar, access, camera.id, 20_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await dome[Symbol.asyncDispose]();
  await farm[Symbol.asyncDispose]();
});

/** How many different pictures of the bar code were on the screen in half a second, and by which way they came. */
const seenPictures = (page: Page, codeRow: number) =>
  page.evaluate(async (share) => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [64, 1];
    const context = canvas.getContext('2d', { willReadFrequently: true })!;
    const seen = new Set<string>();
    let isPeer = false;
    for (const until = performance.now() + 500; performance.now() < until;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      // Another one stands there once the way has changed.
      const video = document.querySelector<HTMLVideoElement>('[role=dialog] video');
      isPeer = video?.srcObject instanceof MediaStream;
      if (!video?.videoWidth) continue;
      const y = Math.floor(video.videoHeight * share);
      context.drawImage(video, 0, y, video.videoWidth, 1, 0, 0, 64, 1);
      const { data } = context.getImageData(0, 0, 64, 1);
      seen.add(Array.from({ length: 64 }, (_, x) => (data[x * 4]! > 128 ? '1' : '0')).join(''));
    }
    return { pictures: seen.size, isPeer };
  }, codeRow);

const movesBy = (page: Page, way: 'peer' | 'stream') =>
  expect
    .poll(async () => {
      const { pictures, isPeer } = await seenPictures(page, 8 / film.height);
      return pictures > 3 && isPeer === (way === 'peer');
    })
    .toBe(true);

test('~LIVE-010 in low-latency mode the picture comes by WebRTC, and moves', async ({ page }) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras/${camera.id}`);
  await movesBy(page, 'stream');
  const toggle = page.getByRole('button', { name: 'Low Latency Mode' });
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await movesBy(page, 'peer');
  await toggle.click();
  await movesBy(page, 'stream');
});

test('~LIVE-010 a browser without WebRTC shows the usual view, and no button for another', async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'RTCPeerConnection'));
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras/${camera.id}`);
  await movesBy(page, 'stream');
  await expect(page.getByRole('button', { name: 'Stop Detection' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Low Latency Mode' })).toHaveCount(0);
});

test('LIVE-012 a browser that refuses a connection by WebRTC shows the usual view, and why', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const refuse = (): never => {
      throw new DOMException('switched off', 'NotSupportedError');
    };
    globalThis.RTCPeerConnection = new Proxy(RTCPeerConnection, { construct: refuse });
  });
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras/${camera.id}`);
  const toggle = page.getByRole('button', { name: 'Low Latency Mode' });
  await toggle.click();
  await expect(page.getByRole('alert')).toHaveText(
    "Failed to create low latency stream: This browser doesn't support WebRTC. Showing the standard live view instead.",
  );
  await expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await movesBy(page, 'stream');
});

test('a camera turns while a button is held, and goes to a place that it knows', async ({
  page,
}) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras/${camera.id}`);
  const left = page.getByRole('button', { name: 'Turn left' });
  await left.hover();
  await page.mouse.down();
  await expect.poll(() => dome.movements.at(-1) ?? '').toMatch(/ContinuousMove[^]*x="-0\.5"/);
  await page.mouse.up();
  await expect.poll(() => dome.movements.at(-1) ?? '').toContain('Stop');
  await page.getByRole('combobox', { name: 'Go to preset' }).selectOption('Yard');
  await expect.poll(() => dome.movements.at(-1) ?? '').toMatch(/GotoPreset[^]*PresetToken>2</);
});

for (const [language, theme] of [
  ['en', 'light'],
  ['ru', 'dark'],
] as const) {
  test(`found cameras and the buttons that move one, in ${language}, ${theme}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await choose(context, language, theme);
    const page = await context.newPage();
    const wrong: string[] = [];
    // No device on this network is asked: only what the list says of a camera is given, the camera itself is asked.
    await context.route(`**${deviceRoutes.discover.path}`, (route) =>
      route.fulfill({ json: { results: found() } }),
    );
    await signInOn(page, nazar);
    await page.goto(`${nazar.origin}/cameras/${camera.id}`);
    await page.locator('[role=dialog] select').waitFor();
    await look(page, `move-${language}-${theme}`, wrong);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${nazar.origin}/cameras`);
    await page.locator('main header button').first().click();
    const form = page.getByRole('dialog');
    await form.locator('section button').first().click();
    const dialogLists = form.locator('section ul');
    await dialogLists.first().locator('button').last().click();
    await expect(form.locator('section ul ul li')).toHaveCount(2);
    await dialogLists.first().scrollIntoViewIfNeeded();
    await look(page, `find-${language}-${theme}`, wrong);
    // A dialog is cut off at the edge of a phone, and nothing scrolls.
    const box = await form.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(360);
    await form.locator('section ul ul li button').first().click();
    await expect(form.locator('input[name=url]')).toHaveValue(farm.url);
    await expect(form.locator('input[name=device_url]')).toHaveValue(dome.url);
    expect(wrong).toEqual([]);
    await context.close();
  });
}

const found = () => [
  {
    name: 'A camera with a name of its own that goes on for longer than a phone is wide',
    hardware: 'IPC-HDW5442T-ZE-2812-S3',
    location: 'Yard',
    address: '192.168.100.107',
    url: 'http://192.168.100.107/onvif/device_service',
  },
  { name: 'Dome 1', hardware: 'D1', location: 'Yard', address: '127.0.0.1', url: dome.url },
];
