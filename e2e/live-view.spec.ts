/// <reference lib="dom" />
/** The live view: what it says of itself, what is done with its picture, and a camera that shows a page instead. */
import { expect, type Page } from '@playwright/test';
import { createServer, type Server } from 'node:http';
import type { Camera } from '@nazar/contract/cameras.ts';
import { liveSocketPath } from '@nazar/contract/sockets.ts';
import { makeFilm } from './farm/film.ts';
import { closeHttp, listenOnLoopback } from './farm/loopback.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

let nazar: Installation;
let farm: RtspCamera;
let web: Server;
let camera: Camera;
let page1: Camera;
/** What the camera's own page was asked for. */
const received: { url: string; referer: string | undefined; authorization: string | undefined }[] =
  [];

/** A camera that answers with a page, whose script says whether it got out of its frame. */
const ownPage = `<!doctype html><title>own</title><p id=said></p><script>
  let said = 'script runs';
  try { said += ', ' + (parent.document ? 'parent open' : ''); } catch { said += ', parent closed'; }
  try { said += ', ' + (localStorage ? 'storage open' : ''); } catch { said += ', storage closed'; }
  document.getElementById('said').textContent = said;
</script>`;

test.beforeAll(async () => {
  const film = makeFilm();
  farm = await RtspCamera.start({ film });
  web = createServer(({ url = '', headers }, response) => {
    const { referer, authorization } = headers;
    received.push({ url, referer, authorization });
    response.writeHead(200, { 'content-type': 'text/html' }).end(ownPage);
  });
  const port = await listenOnLoopback(web);
  nazar = await Installation.ready();
  const access = await nazar.signIn();
  const common = { location: 'Hall', status: 'active', enable_face_recognition: false };
  camera = await nazar.post<Camera>('/secure-api/cameras/', access, {
    ...common,
    name: 'Entrance',
    type: 'rtsp',
    url: farm.url,
    sub_url: `${farm.url}2`,
  });
  page1 = await nazar.post<Camera>('/secure-api/cameras/', access, {
    ...common,
    name: 'Gate',
    type: 'http',
    url: `http://root:s3cret@127.0.0.1:${port}/view`,
  });
  const read = (id: string) => () => nazar.get<Camera>(`/secure-api/cameras/${id}/`, access);
  await until('live', read(camera.id), ({ health }) => health.sub?.state === 'live', 20_000);
  await until('a page', read(page1.id), ({ health }) => health.cause === 'not_video', 20_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await closeHttp(web);
  await farm[Symbol.asyncDispose]();
});

async function open(page: Page, id: string): Promise<void> {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras/${id}`);
}

const statistics = (page: Page) => page.locator('section[aria-label] dl').first();

test('LIVE-003 the lighter stream and back; statistics; a picture saved; back into the recordings', async ({
  page,
}) => {
  await open(page, camera.id);
  await page.getByRole('button', { name: 'Statistics' }).click();
  await expect(statistics(page)).toContainText('WebSocket (MSE)');
  await expect(statistics(page)).toContainText(/Frames per second[1-9]/);
  await page.getByRole('button', { name: 'Optimize Performance' }).click();
  await expect(page.getByText('Substream in use')).toBeVisible();
  await expect(statistics(page)).toContainText(/Frames per second[1-9]/);
  await page.getByRole('button', { name: 'Optimize Performance' }).click();
  await expect(page.getByText('Main stream in use')).toBeVisible();
  const save = page.getByRole('button', { name: 'Save picture' });
  await expect(save).toBeEnabled();
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(/^Entrance \d{4}(-\d\d){2} \d\d(-\d\d){2}\.jpg$/);
  await page.getByRole('button', { name: 'Back 30 seconds' }).click();
  await page.waitForURL(/\/recordings\/.*at=/);
});

/** Where the JPEGs are, and whether something was drawn there. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('[role=dialog] canvas[role=img]');
    if (!canvas?.width) return false;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value) => value > 60 && value < 255);
  });

test('a browser without MSE, and one behind a proxy without WebSockets, show the picture as JPEGs', async ({
  browser,
}) => {
  for (const hinder of ['mse', 'socket'] as const) {
    const context = await browser.newContext();
    if (hinder === 'mse') {
      await context.addInitScript(() => {
        Reflect.deleteProperty(globalThis, 'MediaSource');
        Reflect.deleteProperty(globalThis, 'ManagedMediaSource');
      });
    } else {
      await context.routeWebSocket(
        (url) => url.pathname === liveSocketPath.replace(':id', camera.id),
        (socket) => void socket.close(),
      );
    }
    const page = await context.newPage();
    await open(page, camera.id);
    await expect.poll(() => drawn(page)).toBe(true);
    await page.getByRole('button', { name: 'Statistics' }).click();
    await expect(statistics(page)).toContainText('JPEG pictures');
    await context.close();
  }
});

test('=CAM-026, C-701 the page of a camera lies in a sandboxed frame, and gets nothing of ours', async ({
  page,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  received.length = 0;
  await open(page, page1.id);
  const outer = page.frameLocator('iframe[title="Page of the camera Gate"]');
  const inner = outer.frameLocator('iframe');
  await expect(inner.locator('#said')).toHaveText('script runs, parent closed, storage closed');
  const asked = received.filter(({ url }) => url === '/view').at(-1);
  expect(asked).toEqual({ url: '/view', referer: undefined, authorization: undefined });
  expect(refused).toEqual([]);
  expect(await page.content()).not.toContain('s3cret');
  const viewer = page.getByRole('link', { name: 'Open Viewer' });
  await expect(viewer).toHaveAttribute('rel', 'noopener noreferrer');
  // The application itself frames no camera.
  const policy = (await page.request.get(`${nazar.origin}/`)).headers()['content-security-policy'];
  expect(policy).toMatch(/frame-src 'self'(;|$)/);
});

for (const [language, theme] of [
  ['en', 'light'],
  ['ru', 'dark'],
] as const) {
  test(`the live view on a phone and a desk, in ${language}, ${theme}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await choose(context, language, theme);
    const page = await context.newPage();
    const wrong: string[] = [];
    await open(page, camera.id);
    await page.locator('[role=dialog] fieldset button[aria-pressed]').first().click();
    await page.locator('[role=dialog] dl').first().waitFor();
    await look(page, `live-${language}-${theme}`, wrong);
    await page.locator('[role=dialog] header [aria-haspopup=menu]').click();
    await page.locator('[role=menuitemcheckbox]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${nazar.origin}/cameras/${page1.id}`);
    await page.locator('[role=dialog] iframe').waitFor();
    await look(page, `live-page-${language}-${theme}`, wrong);
    expect(wrong).toEqual([]);
    await context.close();
  });
}
