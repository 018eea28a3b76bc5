/** Nothing moves by itself while a page loads: what comes has its place beforehand. */
import type { CameraFields } from '@nazar/contract/cameras.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { expect, type Browser } from '@playwright/test';
import { Installation } from './installation.ts';
import { test } from './test.ts';

const most = 0.02;
const widths = [1280, 360];
const paths = ['/login', '/', '/cameras', '/face-database'];

let nazar: Installation;
let access: string;

test.beforeAll(async () => {
  nazar = await Installation.ready();
  access = await nazar.signIn();
});
test.afterAll(() => nazar.remove());

declare global {
  interface Window {
    shifts: number[];
  }
}

/** How far things moved without any action of the user, as Chromium counts it. */
function countShifts(): void {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.shifts.push((entry as PerformanceEntry & { value: number }).value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

async function shiftOf(browser: Browser, path: string, width: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  try {
    await context.addInitScript(countShifts);
    if (path !== '/login') {
      await context.addInitScript((token) => localStorage.setItem('auth-token', token), access);
    }
    const page = await context.newPage();
    await page.goto(nazar.origin + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    // The frame in which the last answer is drawn has been reported by then.
    const shifts = await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return window.shifts;
    });
    return shifts.reduce((all, one) => all + one, 0);
  } finally {
    await context.close();
  }
}

async function expectStill(browser: Browser): Promise<void> {
  for (const width of widths) {
    for (const path of paths) {
      expect(await shiftOf(browser, path, width), `${path} at ${width}`).toBeLessThanOrEqual(most);
    }
  }
}

test('an empty installation: no page moves while it loads', async ({ browser }) => {
  await expectStill(browser);
});

test('with seven cameras: no page moves while it loads', async ({ browser }) => {
  for (let index = 1; index <= 7; index += 1) {
    const fields: Partial<CameraFields> = {
      name: `Camera ${index}`,
      location: 'Hall',
      type: 'rtsp',
      status: 'inactive',
      url: `rtsp://127.0.0.1:${index}/none`,
    };
    await nazar.post(cameraRoutes.add.path, access, fields);
  }
  await expectStill(browser);
});
