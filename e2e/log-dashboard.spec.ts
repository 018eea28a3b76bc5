/// <reference lib="dom" />
/**
 * The log dashboard in a browser: empty as a new installation is, and with the figures of a busy one, which
 * busy-week.ts answers: counting visits needs days of them (server/src/visits/counting proves the counts).
 */
import { readFile } from 'node:fs/promises';
import { expect, type Browser, type Page } from '@playwright/test';
import { beBusy, idOf, visits } from './busy-week.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let nazar: Installation;
let page: Page;

test.beforeAll(async ({ browser }) => {
  nazar = await Installation.ready();
  page = await signedIn(browser, 'en', 'light');
});
test.afterAll(async () => {
  await page?.context().close();
  await nazar.remove();
});

async function signedIn(browser: Browser, language: string, theme: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await choose(context, language, theme);
  const opened = await context.newPage();
  await signInOn(opened, nazar);
  return opened;
}

const dates = 'from=2026-03-02&to=2026-03-08';
/** What differs most, in one theme each; a whole tour (`npm run tour`) sees every panel in both. */
const light = [
  ['faces', '&panel=faces'],
  ['visit', `&panel=timeline&visit=${visits[0]!.id}`],
] as const;
const dark = [
  ['heatmap-day', '&panel=heatmap&scale=day'],
  ['timeline', '&panel=timeline'],
  ['visit', `&panel=timeline&visit=${visits[0]!.id}`],
] as const;
const others = [
  ['visit-without-picture', `&panel=timeline&visit=${visits[1]!.id}`],
  ['overview', ''],
  ['cameras', `&panel=cameras&camera=${idOf(1)}`],
  ['heatmap', '&panel=heatmap'],
  ['daily', '&panel=daily'],
  ['daily-table', '&panel=daily&form=table'],
  ['people', `&panel=people&person=${idOf(1)}`],
  ['system', '&panel=system'],
] as const;
/** By the icon of their button, which is the same in every language. */
const dialogs = [
  ['sliders-horizontal', 'levels'],
  ['life-buoy', 'support'],
] as const;
const isWhole = process.env['NAZAR_TOUR'] === 'whole';

test('ERR-050, ERR-051, ERR-052 a new installation says in each panel why it is empty', async () => {
  await page.getByRole('link', { name: 'Activity Log' }).click();
  await page.getByRole('tab', { name: 'Analytics Dashboard' }).click();
  await expect(page).toHaveURL(/tab=analytics/);
  const results = page.getByRole('region', { name: 'Recognition results' });
  await expect(results.getByText('No data available for this chart')).toBeVisible();
  for (const [tab, text] of [
    ['Face Recognition Heatmap', 'No data available for the selected range or person.'],
    ['Face Recognition Timeline', 'No face recognition events found for the selected filters.'],
    ['Daily Face Recognition', 'No data available for the selected range or person.'],
    ['Person Analytics', 'No person data found for the selected date range.'],
    ['Camera Analytics', 'No data found for the selected filters.'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByText(text)).toBeVisible();
  }
  await expect(page).toHaveURL(/panel=cameras/);
  await reportError('The map did not come');
  await page.getByRole('tab', { name: 'System Logs' }).click();
  const line = page.getByRole('listitem').filter({ hasText: 'The map did not come' });
  await line.getByRole('button', { name: /^What was said around this/ }).click();
  await expect(page.getByRole('dialog').getByText('Just before')).toBeVisible();
  await page.keyboard.press('Escape');
  await chooseLevel('Request to the server', 'Warning');
  await saveSupportFile();
  // On a phone the open tab is the one in sight.
  await page.setViewportSize({ width: 360, height: 800 });
  await page.reload();
  const open = page.getByRole('tab', { name: 'System Logs', selected: true });
  await expect(open).toBeInViewport({ ratio: 0.9 });
});

/** Saves the level of a source that has reported something since the start; it holds for every later reader. */
async function chooseLevel(source: string, level: string): Promise<void> {
  await page.getByRole('button', { name: 'Log levels' }).click();
  await page.getByLabel(`Level of ${source}`).selectOption(level);
  await expect(page.getByText(`${source}: ${level} is saved.`)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'Log levels' }).click();
  await expect(page.getByLabel(`Level of ${source}`).locator('option:checked')).toHaveText(level);
  await page.keyboard.press('Escape');
}

/** As the server makes it. */
async function saveSupportFile(): Promise<void> {
  await page.getByRole('button', { name: 'Support file' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('nazar-support.tar');
  const tar = await readFile(await file.path(), 'latin1');
  expect(tar).toContain('about.json');
  expect(tar).toContain('system-log-1.ndjson');
  await expect(page.getByText('The support file was downloaded.')).toBeVisible();
}

/** As browsers do; kept half a second later. */
async function reportError(message: string): Promise<void> {
  const access = await nazar.signIn();
  const path = '/secure-api/system/browser-errors/';
  const { id } = await nazar.post<{ id: string }>(path, access, { kind: 'load', message });
  const logs = '/secure-api/activity-log/system-logs/';
  const find = () => nazar.get<{ count: number }>(`${logs}?search=${id}`, access);
  await until('kept', find, ({ count }) => count === 1, 10_000);
}

test('a mark leads to its visits', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await beBusy(page);
  await page.goto(`${nazar.origin}/activity-log?tab=analytics&${dates}&panel=faces`);
  await page.getByRole('slider').first().press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/panel=timeline/);
  await expect(page).toHaveURL(/from=2026-03-07&to=2026-03-07/);
});

test('NAV-024 a visit opens by Enter, survives a reload, and "Not this person" is said and taken back', async () => {
  await page.goto(`${nazar.origin}/activity-log?tab=analytics&${dates}&panel=timeline`);
  await page
    .getByRole('button', { name: /^Leyla Orucova/ })
    .first()
    .press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Visit' });
  await expect(
    dialog.getByText(/^The face matches Leyla Orucova with 94% confidence/),
  ).toBeVisible();
  await page.reload();
  await dialog.getByRole('button', { name: 'Not this person' }).press('Enter');
  await expect(dialog.getByText(/^Marked as not Leyla Orucova/)).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Unknown 14' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog.getByText('Undone. The visit has its name again.')).toBeVisible();
  await dialog.getByRole('link', { name: 'Watch recording' }).click();
  await expect(page).toHaveURL(new RegExp(`/recordings/${idOf(1)}\\?at=`));
});

async function lookAt(
  seen: Page,
  views: readonly (readonly [name: string, more: string])[],
  manner: string,
  wrong: string[],
): Promise<void> {
  for (const [name, more] of views) {
    await seen.goto(`${nazar.origin}/activity-log?tab=analytics&${dates}${more}`);
    await seen.locator('main section').first().waitFor();
    if (more.includes('visit=')) await seen.getByRole('dialog').locator('h3').last().waitFor();
    await expect(seen.locator('[aria-busy=true]')).toHaveCount(0);
    await look(seen, `panels-${name}-${manner}`, wrong);
  }
}

/** The dialogs of the system log: what is chosen there, and what they say before something is done. */
async function lookAtDialogs(seen: Page, manner: string, wrong: string[]): Promise<void> {
  await seen.goto(`${nazar.origin}/activity-log?tab=analytics&${dates}&panel=system`);
  for (const [icon, name] of dialogs) {
    await seen.locator(`main button:has(.lucide-${icon})`).click();
    await seen.getByRole('dialog').waitFor();
    await expect(seen.locator('[aria-busy=true]')).toHaveCount(0);
    await look(seen, `dialog-${name}-${manner}`, wrong);
    await seen.keyboard.press('Escape');
    await expect(seen.getByRole('dialog')).toHaveCount(0);
  }
}

test('axe finds nothing on the panels, in one theme and the other', async ({ browser }) => {
  test.setTimeout(isWhole ? 480_000 : 180_000);
  const wrong: string[] = [];
  const every = [...light, ...dark, ...others];
  await lookAt(page, isWhole ? every : light, 'en-light', wrong);
  await lookAtDialogs(page, 'en-light', wrong);
  const inTheDark = await signedIn(browser, 'ru', 'dark');
  await beBusy(inTheDark);
  await lookAt(inTheDark, isWhole ? every : dark, 'ru-dark', wrong);
  await lookAtDialogs(inTheDark, 'ru-dark', wrong);
  await inTheDark.context().close();
  expect(wrong).toEqual([]);
});
