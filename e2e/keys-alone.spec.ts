/// <reference lib="dom" />
/**
 * What is done every day, done with the keys alone: nothing here points, presses or fills in by any other way than the
 * keyboard of a reader, and wherever the focus comes it is in sight.
 */
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Recording } from '@nazar/contract/recordings.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, root, until } from './installation.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const photo = join(root, 'node_modules/@vladmandic/face-api/demo/sample1.jpg');

/** More than the longest way through any page here; who needs more is going round in circles. */
const maxPresses = 90;

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let page: Page;

test.beforeAll(async ({ browser }) => {
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
});
test.afterAll(async () => {
  await page?.context().close();
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const dialogNamed = (name: string): Locator => page.getByRole('dialog', { name });

/** Presses Tab, or what else moves the focus, until it is there and in sight, or what is drawn in its place. */
async function reach(target: Locator, key = 'Tab', drawn = target): Promise<void> {
  await target.waitFor();
  const isThere = (): Promise<boolean> =>
    target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; !(await isThere()); presses++) {
    if (presses === maxPresses) throw new Error(`${key} does not reach ${target.toString()}`);
    await page.keyboard.press(key);
  }
  await expect(drawn).toBeInViewport({ ratio: 1 });
}

async function press(target: Locator, key = 'Enter'): Promise<void> {
  await reach(target);
  await page.keyboard.press(key);
}

async function type(target: Locator, text: string): Promise<void> {
  await reach(target);
  await page.keyboard.type(text);
  await expect(target).toHaveValue(text);
}

test('a reader signs in', async () => {
  await page.goto(`${nazar.origin}/login`);
  await type(page.getByLabel('Email'), administrator.email);
  await type(page.getByRole('textbox', { name: 'Password' }), administrator.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${nazar.origin}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

test('a camera is added in steps, tested, and saved', async () => {
  const sidebar = page.getByRole('navigation', { name: 'Main navigation' });
  await press(sidebar.getByRole('link', { name: 'Cameras', exact: true }));
  await press(button('Add Camera').first());
  const dialog = dialogNamed('Add New Camera');
  await type(dialog.getByLabel(/^Stream address/), farm.url);
  await press(dialog.getByRole('button', { name: 'Next' }));
  await expect(dialog.getByRole('heading', { name: /Step 2 of 4/ })).toBeFocused();
  await expect(dialog.getByAltText('First picture of the camera')).toBeVisible();
  await press(dialog.getByRole('button', { name: 'Next' }));
  await expect(dialog.getByRole('heading', { name: /Step 3 of 4/ })).toBeFocused();
  await type(dialog.getByLabel(/^Name/), 'Porch');
  await type(dialog.getByLabel(/^Location/), 'Yard');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: /Step 4 of 4/ })).toBeFocused();
  const active = dialog.getByRole('switch', { name: 'Activate the camera now' });
  await press(active, 'Space');
  await expect(active).toBeChecked();
  await press(dialog.getByRole('button', { name: 'Add Camera' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('Porch').first()).toBeVisible();
  await expect(button('Add Camera').first()).toBeFocused();
});

test('the log is narrowed, and an entry is opened and closed', async () => {
  await press(page.getByRole('link', { name: 'Activity Log' }));
  // The page before has a search of its own.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity Log');
  await type(page.getByRole('searchbox'), 'Porch');
  await expect(page).toHaveURL(/search=Porch/);
  await press(button('Filter by Create').first());
  await reach(page.getByRole('menuitem', { name: 'Show only Create' }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/action=create/);
  const entry = page.locator('main tbody').getByRole('button', { name: /^Open entry: .*Porch/ });
  await press(entry.first());
  await expect(dialogNamed('Log details')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialogNamed('Log details')).toHaveCount(0);
  await expect(entry.first()).toBeFocused();
});

test('the page asks about unsaved input, keeps it, and then gives it up', async () => {
  await reach(button('Add note'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  const dialog = dialogNamed('Add note');
  const note = dialog.getByRole('textbox');
  await expect(note).toBeFocused();
  await page.keyboard.type('Seen at the gate');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(note).toBeFocused();
  await expect(note).toHaveValue('Seen at the gate');
  await reach(dialog.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Shift+Tab');
  await expect(note).toBeFocused();
  await page.keyboard.press('Escape');
  await reach(question.getByRole('button', { name: 'Discard changes' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(button('Add note')).toBeFocused();
});

test('a recording is found, played and stopped', async () => {
  const { results } = await nazar.get<{ results: Camera[] }>('/secure-api/cameras/', access);
  const path = `/secure-api/recordings/?camera=${results[0]!.id}`;
  const recorded = () => nazar.get<{ results: Recording[] }>(path, access);
  await until('recorded', recorded, ({ results: [first] }) => first !== undefined, 30_000);
  await page.goto(`${nazar.origin}/cameras`);
  await press(button('Actions for Porch').first());
  await reach(page.getByRole('menuitem', { name: 'View Recordings' }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Porch' })).toBeVisible();
  await press(
    page.getByRole('list', { name: 'Recordings of this day' }).getByRole('button').first(),
  );
  const isPaused = () =>
    page.evaluate(() => document.querySelector<HTMLVideoElement>('main video')?.paused);
  await expect.poll(isPaused).toBe(false);
  await press(button('Pause'), 'Space');
  await expect.poll(isPaused).toBe(true);
  await expect(button('Play')).toBeFocused();
});

test('the recording is sought through along its timeline', async () => {
  const seekBar = page.getByRole('slider', { name: 'Timeline of Porch' });
  const valueMs = async (): Promise<number> => Number(await seekBar.getAttribute('aria-valuenow'));
  await reach(seekBar, 'Shift+Tab');
  const from = await valueMs();
  // So near that a step of the timeline stays within what is recorded.
  for (let presses = 0; presses < 12; presses++) await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(valueMs).toBeLessThan(from);
  await expect(seekBar).toBeFocused();
  const sought = await valueMs();
  await page.keyboard.press('ArrowRight');
  await expect.poll(valueMs).toBeGreaterThan(sought);
});

test('a person is added by a photo, found by name, opened, and left', async () => {
  test.setTimeout(120_000);
  await press(page.getByRole('link', { name: 'Face Database' }));
  await press(button('Add Face').first());
  const dialog = dialogNamed('Add Face');
  const file = dialog.locator('input[type=file]');
  await reach(file, 'Tab', file.locator('xpath=..'));
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Space');
  await (await choosing).setFiles(photo);
  const faces = dialog.getByRole('radio');
  await reach(faces.first(), 'Tab', faces.first().locator('xpath=..'));
  await page.keyboard.press('Space');
  await expect(dialog.getByText(/^Can be used for recognition/)).toBeVisible();
  await type(dialog.getByLabel(/^First name/), 'Aylin');
  await type(dialog.getByLabel(/^Last name/), 'Demir');
  await reach(dialog.getByLabel('Category'));
  await page.keyboard.press('ArrowDown');
  await press(dialog.getByRole('button', { name: 'Add Face' }));
  await expect(dialog).toHaveCount(0, { timeout: 60_000 });
  await expect(button('Add Face').first()).toBeFocused();
  await type(page.getByRole('searchbox'), 'Aylin');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/Aylin/);
  await expect(page.getByRole('searchbox')).toBeFocused();
  const person = page.locator('main').getByRole('button', { name: 'Aylin Demir', exact: true });
  await press(person.first());
  const details = page.getByRole('dialog').filter({ hasText: 'Aylin Demir' });
  await expect(details).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0);
  await expect(person.first()).toBeFocused();
});
