/// <reference lib="dom" />
/** A camera whose picture is turned: its masks count in both places until an administrator has looked, and chosen. */
import { expect, type Browser, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Zone } from '@nazar/contract/zones.ts';
import { aScene, filmOfScene } from '../server/src/testing/scenes.ts';
import { untilLive } from './cameras.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const mask = {
  kind: 'privacy',
  name: 'Window',
  points: [
    [0.1, 0.2],
    [0.3, 0.2],
    [0.3, 0.6],
    [0.1, 0.6],
  ],
};

let nazar: Installation;
let farm: RtspCamera;

/** Drawn upright, and set to a rotation since. */
async function aTurnedCamera(name: string, rotation: number): Promise<Camera> {
  const access = await nazar.signIn();
  const form = { name, location: 'Yard', type: 'rtsp', status: 'active', url: farm.url };
  const camera = await nazar.post<Camera>('/secure-api/cameras/', access, form);
  const path = `/secure-api/cameras/${camera.id}/`;
  const put = async (at: string, body: object): Promise<void> => {
    const { status } = await nazar.call('PUT', at, { access, body });
    expect(status).toBe(200);
  };
  await put(`${path}zones/`, { zones: [mask] });
  await put(path, { ...form, rotation });
  return untilLive(nazar, access, camera.id, 30_000);
}

test.beforeAll(async () => {
  nazar = await Installation.ready();
  farm = await RtspCamera.start({ film: filmOfScene(aScene(2), { width: 640, height: 352 }) });
  await aTurnedCamera('Gate', 90);
  await aTurnedCamera('Stairs', 180);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

async function openCameras(page: Page): Promise<void> {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras`);
}

async function openZones(page: Page, name: string) {
  await page.locator('article', { hasText: name }).locator('button[aria-haspopup=menu]').click();
  await page.getByRole('menuitem', { name: /^(Masks and zones|Маски и зоны)$/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('img')).toHaveJSProperty('complete', true);
  return dialog;
}

test('masks of a turned camera turn with its picture by a press, and nothing is asked after they are saved', async ({
  page,
}) => {
  const camera = await nazar
    .get<{ results: Camera[] }>('/secure-api/cameras/', await nazar.signIn())
    .then(({ results }) => results.find(({ name }) => name === 'Gate')!);
  const zones = async (): Promise<Zone[]> => {
    const path = `/secure-api/cameras/${camera.id}/zones/`;
    return (await nazar.get<{ results: Zone[] }>(path, await nazar.signIn())).results;
  };
  expect((await zones())[0]?.turns).toEqual([0, 90]);
  await openCameras(page);
  const dialog = await openZones(page, 'Gate');
  await expect(dialog.locator('img')).toHaveJSProperty('naturalWidth', 352);
  await dialog.getByRole('button', { name: 'Turn with the picture (90°)' }).press('Enter');
  await expect(
    dialog.getByRole('button', { name: /^Corner 1: 80% from the left, 10% from the top/ }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Save masks and zones' }).click();
  await expect(dialog).toHaveCount(0);
  const [saved] = await zones();
  expect([saved?.points[0], saved?.turns]).toEqual([[0.8, 0.1], [0]]);
  const again = await openZones(page, 'Gate');
  await expect(again.getByRole('button', { name: 'Save masks and zones' })).toBeVisible();
  await expect(again.getByText(/picture was turned/)).toHaveCount(0);
});

async function tour(browser: Browser, language: 'en' | 'ru', theme: 'light' | 'dark') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await choose(context, language, theme);
  const page = await context.newPage();
  const wrong: string[] = [];
  await openCameras(page);
  const dialog = await openZones(page, 'Stairs');
  const turn = dialog.getByRole('button', { name: /180°/ });
  await turn.click();
  await expect(turn).toHaveAttribute('aria-pressed', 'true');
  await look(page, `turned-${language}-${theme}`, wrong);
  expect(wrong).toEqual([]);
  await context.close();
}

for (const [language, theme] of [
  ['en', 'light'],
  ['ru', 'dark'],
] as const) {
  test(`the choice after a turn, in ${language}, ${theme}`, ({ browser }) =>
    tour(browser, language, theme));
}
