/// <reference lib="dom" />
/** The activity log in a browser: found, filtered, opened, exported, deleted, and kept while the server is away. */
import { expect, type Browser, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { createPerson, signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let nazar: Installation;
let access: string;
let page: Page;
const wrong: string[] = [];

const clerk = { email: 'clerk@example.org', role: 'user', lastName: 'Clerk' } as const;
const logs = '/secure-api/activity-log/activity-logs/';

test.beforeAll(async ({ browser }) => {
  nazar = await Installation.ready();
  createPerson(nazar, clerk);
  access = await nazar.signIn();
  const camera = await nazar.post<{ id: string }>('/secure-api/cameras/', access, {
    name: 'Gate',
    location: 'Yard',
    type: 'ip',
    status: 'inactive',
  });
  const change = { name: 'Main gate', location: 'Yard', type: 'ip', status: 'inactive' };
  await nazar.call('PUT', `/secure-api/cameras/${camera.id}/`, { access, body: change });
  await nazar.post(`${logs}create-mock/`, access, { count: 60 });
  await nazar.post(logs, access, { action: 'create', description: 'He said "hello" at the gate' });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
  });
  await choose(context, 'en', 'light');
  page = await context.newPage();
  await signInOn(page, nazar);
});
test.afterAll(async () => {
  await page?.context().close();
  await nazar.remove();
});

const rows = () => page.locator('main tbody tr');

test('NAV-012, LOG-014, ~LOG-017 the log is in the sidebar, by pages of 20, with users', async () => {
  await page.getByRole('link', { name: 'Activity Log' }).click();
  await expect(page.getByText('View and manage all user activity logs')).toBeVisible();
  await expect(rows()).toHaveCount(20);
  await expect(page.getByRole('columnheader', { name: 'User' })).toBeVisible();
  await expect(page.getByText(/^Showing page 1 of [45]$/)).toBeVisible();
  await page.getByRole('button', { name: 'Last page' }).click();
  await expect(page).toHaveURL(/page=[45]/);
  await page.getByRole('button', { name: 'First page' }).click();
  await expect(page).not.toHaveURL(/page=/);
});

test('LOG-003, LOG-004, ~LOG-018, LOG-038 a search and a click on a value narrow the list, and stand in the address', async () => {
  await page.goto(`${nazar.origin}/activity-log?page=2`);
  await page.getByRole('searchbox').fill('"hello"');
  await expect(rows()).toHaveCount(1);
  await expect(page).toHaveURL(/search=/);
  await expect(page).not.toHaveURL(/page=2/);
  await expect(page.locator('mark')).toHaveText('"hello"');
  await page.getByRole('searchbox').fill('description');
  await expect(page.getByText('No entries found')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(rows()).toHaveCount(20);
  await page.getByRole('button', { name: 'Filter by Create' }).first().click();
  await page.getByRole('menuitem', { name: 'Hide Create' }).click();
  await expect(page).toHaveURL(/notAction=create/);
  await expect(page.getByRole('button', { name: 'Filter by Create' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove filter Not Create' }).click();
  await expect(page).not.toHaveURL(/notAction/);
});

test('LOG-019 an entry has a link of its own, what changed with before and after, and its place in the activity log', async () => {
  const found = `${logs}?search=camera.replaced`;
  const { results } = await until(
    'sealed',
    () => nazar.get<{ results: ActivityEntry[] }>(found, access),
    ({ results: [first] }) => first?.sequence !== null && first !== undefined,
    10_000,
  );
  await page.goto(`${nazar.origin}/activity-log?entry=${results[0]!.id}`);
  const dialog = page.getByRole('dialog', { name: 'Log details' });
  const change = dialog.getByRole('row', { name: /^Name/ });
  await expect(change).toContainText('Gate');
  await expect(change).toContainText('Main gate');
  await expect(dialog.getByRole('link', { name: 'Open' })).toHaveAttribute('href', /\/cameras\//);
  await expect(dialog.getByText('Place in the sealed record')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/entry=/);
});

test('LOG-007, LOG-008, LOG-009, ~LOG-010, ~LOG-022 a search is saved on the server under a name, applied and deleted', async () => {
  await page.goto(`${nazar.origin}/activity-log`);
  const menu = page.getByRole('button', { name: 'Saved searches' });
  await menu.click();
  const save = page.getByRole('menuitem', { name: 'Save Current Search' });
  await expect(save).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('gate');
  await expect(page).toHaveURL(/search=gate/);
  await menu.click();
  await save.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Please enter a name for your search')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('At the gate');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Search saved')).toBeVisible();
  await page.goto(`${nazar.origin}/activity-log`);
  await menu.click();
  await expect(page.getByRole('menuitem', { name: 'gate', exact: true })).toBeVisible();
  await page.getByRole('menuitem', { name: 'At the gate', exact: true }).click();
  await expect(page).toHaveURL(/search=gate/);
  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete search At the gate' }).click();
  await expect(page.getByText('Search deleted')).toBeVisible();
});

test('~LOG-044, LOG-045, CON-020, ~NSH-044 the filtered entries are exported as CSV', async () => {
  await page.goto(`${nazar.origin}/activity-log?search=hello`);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^activity_logs_\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  await expect(page.getByText('Logs exported successfully')).toBeVisible();
});

test('~LOG-048, ~LOG-051, ~CFL-044 a note made while the server is away waits on the device and is there once', async () => {
  await page.goto(`${nazar.origin}/activity-log`);
  await expect(rows()).toHaveCount(20);
  await page.route('**/secure-api/**', (request) => request.abort());
  await page.getByRole('button', { name: 'Add note' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('Written on the way');
  await dialog.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByText('1 entry is saved on this device, waiting to sync')).toBeVisible();
  // It is sent by itself as soon as a request reaches the server again.
  await page.unroute('**/secure-api/**');
  await page.reload();
  await expect(page.getByText(/waiting to sync/)).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Written on the way')).toHaveCount(1);
});

test('LOG-047 without the server the last entries of this browser are shown, and labelled as old', async () => {
  const failing = { status: 500, json: { detail: 'Something went wrong.', code: 'internal' } };
  await page.route('**/activity-log/activity-logs**', (request) => request.fulfill(failing));
  await page.reload();
  await expect(page.getByText('Failed to load activity logs. Please try again.')).toBeVisible();
  await expect(page.getByText(/^Loaded logs from local storage/)).toBeVisible();
  await look(page, 'activity-log-stored-en-light', wrong);
  await page.unroute('**/activity-log/activity-logs**');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText(/^Loaded logs from local storage/)).toHaveCount(0);
});

test('LOG-020, LOG-024 ticked entries are deleted after a question that says how many', async () => {
  await page.goto(`${nazar.origin}/activity-log?search=hello`);
  await page.getByRole('checkbox', { name: /^Select entry/ }).check();
  await page.getByRole('button', { name: 'Delete selected' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete 1 entry?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows()).toHaveCount(1);
  await page.getByRole('button', { name: 'Delete selected' }).click();
  await look(page, 'activity-log-delete-en-light', wrong);
  await question.getByRole('button', { name: 'Delete selected' }).click();
  await expect(page.getByText('1 entry deleted')).toBeVisible();
  await expect(page.getByText('No entries found')).toBeVisible();
});

test('C-803 an administrator verifies the log; what was found stays after a reload, and is saved as a signed file', async () => {
  await page.goto(`${nazar.origin}/activity-log`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Verify activity log' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verify activity log' });
  await expect(dialog.getByText("The activity log hasn't been verified here yet.")).toBeVisible();
  await dialog.getByRole('button', { name: 'Verify', exact: true }).press('Enter');
  const whole = dialog.getByText('The activity log is whole: every entry is as it was written.');
  await expect(whole).toBeVisible();
  await page.reload();
  await expect(whole).toBeVisible();
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save signed file' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^activity-log-verification-\d{8}T\d{6}Z\.txt$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('"whole": true');
  expect(text).toMatch(/\nSignature: [\w+/]{86}==\n$/);
  const { results } = await nazar.get<{ results: ActivityEntry[] }>(
    `${logs}?search=activity.verified`,
    access,
  );
  expect(results.map(({ description }) => description)).toEqual(['Verified the activity log']);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/dialog=/);
});

test('ROL-016, ~ROL-017, ~LOG-032 a user sees their own entries alone, and nothing that is refused', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await choose(context, 'ru', 'dark');
  const own = await context.newPage();
  await signInOn(own, nazar, clerk.email);
  await own.goto(`${nazar.origin}/activity-log`);
  await expect(own.locator('main tbody tr')).toHaveCount(1);
  await expect(own.getByRole('columnheader', { name: 'Пользователь' })).toHaveCount(0);
  await own.getByRole('button', { name: 'Другие действия' }).click();
  await expect(own.getByRole('menuitem', { name: 'Очистить кэш' })).toBeVisible();
  await expect(own.getByRole('menuitem', { name: 'Создать пробные записи' })).toHaveCount(0);
  await look(own, 'activity-log-own-ru-dark', wrong);
  await context.close();
});

/** Signs in and looks, in Russian and dark and in English and light. */
async function inBothThemes(
  browser: Browser,
  see: (seen: Page, name: string) => Promise<void>,
): Promise<void> {
  for (const [language, theme] of [
    ['ru', 'dark'],
    ['en', 'light'],
  ] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await choose(context, language, theme);
    const seen = await context.newPage();
    await signInOn(seen, nazar);
    await see(seen, `${language}-${theme}`);
    await context.close();
  }
}

test('axe finds nothing on a verification, in both themes', async ({ browser }) => {
  await inBothThemes(browser, async (seen, name) => {
    await seen.goto(`${nazar.origin}/activity-log?dialog=verification`);
    await seen.getByRole('dialog').getByRole('status').waitFor();
    await look(seen, `activity-log-verification-${name}`, wrong);
  });
  expect(wrong).toEqual([]);
});

test('axe finds nothing on the list, its filters, an entry and the debug panel, in both themes', async ({
  browser,
}) => {
  await inBothThemes(browser, async (seen, name) => {
    await seen.goto(`${nazar.origin}/activity-log?action=create&notIp=192.0.2.1`);
    await seen.locator('main tbody tr').first().waitFor();
    await look(seen, `activity-log-${name}`, wrong);
    const { results } = await nazar.get<{ results: ActivityEntry[] }>(
      `${logs}?search=camera.replaced`,
      access,
    );
    await seen.goto(`${nazar.origin}/activity-log?entry=${results[0]!.id}`);
    await seen.getByRole('dialog').locator('table').waitFor();
    await look(seen, `activity-log-entry-${name}`, wrong);
  });
  expect(wrong).toEqual([]);
});
