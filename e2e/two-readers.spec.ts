/// <reference lib="dom" />
/**
 * Two users in two browsers, each with a camera of their own and one that both may see: what one reads, counts and
 * deletes is never the other's, and a grant that is taken is gone from the dashboard that stands open.
 */
import { expect, type Browser, type Page } from '@playwright/test';
import type { ListedUser } from '@nazar/contract/users.ts';
import { Installation } from './installation.ts';
import { choose } from './look.ts';
import { createPerson, grantCamera, signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const leyla = { email: 'leyla@example.org', role: 'operator', lastName: 'Reader' } as const;
const orxan = { email: 'orxan@example.org', role: 'operator', lastName: 'Reader' } as const;
const panel = '/activity-log?tab=analytics&panel=';
const hourMs = 3_600_000;

let nazar: Installation;
let access: string;
let hers: Page;
let his: Page;
const cameras = { Attic: '', Barn: '', Court: '' };
let grantId: string;

test.beforeAll(async ({ browser }) => {
  nazar = await Installation.ready();
  access = await nazar.signIn();
  createPerson(nazar, leyla);
  createPerson(nazar, orxan);
  cameras.Attic = await cameraOf(leyla.email, 'Attic');
  cameras.Barn = await cameraOf(orxan.email, 'Barn');
  cameras.Court = (await addCamera(access, 'Court')).id;
  const capabilities = ['live', 'people'];
  grantId = await grantCamera(nazar, access, {
    email: orxan.email,
    cameraId: cameras.Court,
    capabilities,
  });
  await grantCamera(nazar, access, { email: leyla.email, cameraId: cameras.Court, capabilities });
  makeVisits();
  hers = await open(browser, leyla.email);
  his = await open(browser, orxan.email);
});
test.afterAll(async () => {
  await hers?.context().close();
  await his?.context().close();
  await nazar.remove();
});

const addCamera = (token: string, name: string): Promise<{ id: string }> => {
  const fields = { name, location: 'Yard', type: 'ip', status: 'inactive' };
  return nazar.post('/secure-api/cameras/', token, fields);
};

/** They added it while they were an administrator; it stays theirs. */
async function cameraOf(email: string, name: string): Promise<string> {
  const found = `/secure-api/accounts/users/?search=${encodeURIComponent(email)}`;
  const { results } = await nazar.get<{ results: ListedUser[] }>(found, access);
  const path = `/secure-api/accounts/users/${results[0]!.id}/`;
  const be = (role: string) => nazar.call('PATCH', path, { access, body: { role } });
  await be('admin');
  const { id } = await addCamera(await nazar.signIn(email), name);
  await be('operator');
  return id;
}

/** Three of hers, two of his, five of the administrator's; the newest an hour ago. */
function makeVisits(): void {
  const times = (many: number): number[] =>
    Array.from({ length: many }, (_, index) => Date.now() - (index + 1) * hourMs);
  nazar.addVisits([
    { cameraId: cameras.Attic, person: 'Alma', addedBy: leyla.email, startedAtMs: times(3) },
    { cameraId: cameras.Barn, person: 'Bahar', addedBy: orxan.email, startedAtMs: times(2) },
    {
      cameraId: cameras.Court,
      person: 'Ceyran',
      addedBy: 'administrator@example.org',
      startedAtMs: times(5),
    },
  ]);
}

async function open(browser: Browser, email: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await choose(context, 'en', 'light');
  const page = await context.newPage();
  await signInOn(page, nazar, email);
  return page;
}

const show = (page: Page, name: string) => page.goto(`${nazar.origin}${panel}${name}`);
const visitsOf = (page: Page) =>
  page
    .locator('.card')
    .filter({ hasText: /^Visits/ })
    .locator('.figures')
    .first();

test('C-309 counts, names and cameras of two readers do not cross', async () => {
  for (const [page, sum, own, other] of [
    [hers, '8', ['Attic', 'Alma'], ['Barn', 'Bahar']],
    [his, '7', ['Barn', 'Bahar'], ['Attic', 'Alma']],
  ] as const) {
    await show(page, 'faces');
    await expect(visitsOf(page)).toHaveText(sum);
    await expect(page.getByRole('list', { name: /^Top 10/ })).toContainText(own[1]);
    await show(page, 'cameras');
    const list = page.getByRole('region', { name: 'Camera Analytics' });
    await expect(list).toContainText(own[0]);
    await expect(list).toContainText('Court');
    for (const name of ['faces', 'heatmap', 'timeline', 'daily', 'people', 'cameras']) {
      await show(page, name);
      await page.locator('main section').first().waitFor();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      for (const word of other) await expect(page.locator('main')).not.toContainText(word);
    }
  }
});

test('LDT-003, LDT-006 one deletes what their own camera saw: the other counts as before', async () => {
  await show(his, 'timeline');
  await expect(his.getByText('7 visits')).toBeVisible();
  await show(hers, 'timeline');
  await expect(hers.getByText('8 visits')).toBeVisible();
  await hers.getByRole('button', { name: 'Mark All as Deleted' }).click();
  const question = hers.getByRole('alertdialog');
  await expect(question).toContainText('3 visits will be marked as deleted.');
  await question.getByRole('button', { name: 'Mark as deleted' }).click();
  await expect(hers.getByText('3 visits marked as deleted')).toBeVisible();
  await expect(hers.getByText('5 visits')).toBeVisible();
  await his.reload();
  await expect(his.getByText('7 visits')).toBeVisible();
});

test('C-304, C-207 a grant that is taken is gone from the open dashboard', async () => {
  await show(his, 'cameras');
  const list = his.getByRole('region', { name: 'Camera Analytics' });
  await expect(list).toContainText('Court');
  await show(hers, 'faces');
  await expect(visitsOf(hers)).toHaveText('5');
  const taken = await nazar.call('DELETE', `/secure-api/cameras/grants/${grantId}/`, { access });
  expect(taken.ok).toBe(true);
  await expect(list).not.toContainText('Court', { timeout: 10_000 });
  await expect(list).toContainText('Barn');
  await his.getByRole('tab', { name: 'Face Recognition Logs' }).click();
  await expect(visitsOf(his)).toHaveText('2');
  await expect(his.locator('main')).not.toContainText('Ceyran');
  await hers.reload();
  await expect(visitsOf(hers)).toHaveText('5');
});
