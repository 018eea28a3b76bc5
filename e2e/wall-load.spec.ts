/// <reference lib="dom" />
/** A wall on a device that can't show it: less of every camera, for all alike, and it says so. */
import { expect, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const count = 9;

let nazar: Installation;
let farm: RtspCamera;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

interface Shown {
  /** What the wall says of all cameras. */
  readonly wall: string;
  readonly tiles: readonly { readonly says: string; readonly picture: string }[];
}

/** All of one moment: what the wall says, and of each tile what it says and which picture is on the screen. */
const shownOn = (page: Page): Promise<Shown> =>
  page.evaluate(() => {
    const pictureOf = (tile: Element): string => {
      const video = tile.querySelector('video:not([aria-hidden=true])');
      if (video !== null) return `video at ${(video as HTMLVideoElement).currentTime}`;
      return tile.querySelector('img')?.src ?? 'none';
    };
    const outputs = [...document.querySelectorAll('output')].map(({ textContent }) => textContent);
    return {
      wall: outputs.find((said) => said.startsWith('This device')) ?? '',
      tiles: [...document.querySelectorAll('[data-tile]')].map((tile) => ({
        says: tile.querySelector('[data-camera-state]')?.textContent ?? '',
        picture: pictureOf(tile),
      })),
    };
  });

/** What every tile says where the wall says that; on a machine that is busy with other work it takes both steps. */
const steps: readonly (readonly [wall: RegExp, tile: RegExp])[] = [
  [/can't show all cameras smoothly\. .* key frames only/, /^Key frames only: this device can't/],
  [/can't show all cameras live\. .* still pictures/, /^Still picture/],
];

const isReducedAlike = ({ wall, tiles }: Shown): boolean =>
  tiles.length === count &&
  steps.some(
    ([ofWall, ofTile]) => ofWall.test(wall) && tiles.every(({ says }) => ofTile.test(says)),
  );

test('nine tiles on a device that is too slow: all nine show less, and all nine the same', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const access = await nazar.signIn();
  for (let index = 1; index <= count; index += 1) {
    const form = { name: `Camera ${index}`, location: 'Site', type: 'rtsp', status: 'active' };
    const body = { ...form, url: farm.url };
    const { id } = await nazar.post<Camera>('/secure-api/cameras/', access, body);
    await untilLive(nazar, access, id, 60_000);
  }
  await signInOn(page, nazar);
  const devTools = await page.context().newCDPSession(page);
  await page.goto(`${nazar.origin}/cameras?view=wall`);
  const isPlaying = ({ picture }: { picture: string }) => /^video at [^0]/.test(picture);
  const playing = async () => (await shownOn(page)).tiles.filter(isPlaying).length;
  await expect.poll(playing, { timeout: 60_000 }).toBe(count);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 20 });
  await expect
    .poll(async () => (await shownOn(page)).wall, { timeout: 90_000 })
    .toMatch(/^This device can't show all cameras (?:smoothly|live)/);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const alike = async () => isReducedAlike(await shownOn(page));
  await expect.poll(alike, { timeout: 90_000 }).toBe(true);
  // None stands still: each of the nine shows another picture after a while.
  const before = (await shownOn(page)).tiles.map(({ picture }) => picture);
  const same = async () =>
    (await shownOn(page)).tiles.filter(({ picture }, index) => picture === before[index]).length;
  await expect.poll(same, { timeout: 60_000 }).toBe(0);
  await expect.poll(alike, { timeout: 60_000 }).toBe(true);
});
