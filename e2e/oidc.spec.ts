/// <reference lib="dom" />
/** Signing in at a provider elsewhere, in a real browser that travels there and back. */
import { expect, test, type Page } from '@playwright/test';
import { join } from 'node:path';
import { testProvider, type TestProvider } from '../server/src/testing/provider.ts';
import { accessibilityFaults } from './accessibility.ts';
import { administrator, Installation } from './installation.ts';

const pictures = process.env['NAZAR_PICTURES'];
let provider: TestProvider;
let nazar: Installation;

test.beforeAll(async () => {
  provider = await testProvider();
  nazar = await Installation.ready((origin) => ({
    NAZAR_PUBLIC_URL: origin,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Example ID',
    OIDC_ROLE_MAP: 'ops=operator',
    OIDC_CREATE: 'on',
  }));
});
test.afterAll(async () => {
  await nazar.remove();
  await provider[Symbol.asyncDispose]();
});

const addresses: string[] = [];
test.beforeEach(({ page }) => {
  page.on('request', (request) => addresses.push(request.url()));
});

/** Waits until a screen has faded in: axe reads the colours of the moment. */
async function keep(page: Page, name: string): Promise<void> {
  await expect(page.locator('h1')).toBeVisible();
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
  expect(await accessibilityFaults(page)).toEqual([]);
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const there = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign in with Example ID' }).click();

test('C-119, SES-009 there and back is signed in, with a role of there, and no token in any address', async ({
  page,
}) => {
  provider.person = {
    sub: 'person-1',
    email: 'elsewhere@example.org',
    email_verified: true,
    given_name: 'Else',
    family_name: 'Where',
    groups: ['ops'],
  };
  await page.goto(nazar.origin);
  await keep(page, 'sign-on');
  await there(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await expect(page).toHaveURL(`${nazar.origin}/`);
  const tokens = await page.evaluate(() => [
    localStorage.getItem('auth-token') ?? '',
    localStorage.getItem('refresh-token') ?? '',
  ]);
  for (const token of tokens) {
    expect(token).toMatch(/^nz/);
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  }
  expect(addresses.filter((address) => /nz[a-z]_/.test(address))).toEqual([]);
  const cookies = (await page.context().cookies()).map(({ name, httpOnly, sameSite }) => ({
    name,
    httpOnly,
    sameSite,
  }));
  expect(cookies).toContainEqual({ name: 'nazar-session', httpOnly: true, sameSite: 'Strict' });
  expect(cookies.map(({ name }) => name)).not.toContain('nazar-sign-on');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  expect(provider.asked.some((path) => path.startsWith('/authorize?'))).toBe(true);
});

test('a user who refuses there is back at the login, which says so', async ({ page }) => {
  provider.bend = { error: 'access_denied' };
  await page.goto(nazar.origin);
  await there(page);
  await expect(page.getByRole('alert')).toHaveText('The sign-in was cancelled.');
  await keep(page, 'sign-on-refused');
  provider.bend = {};
});

test('C-113 the administrator connects the account that is here, and signs in with it', async ({
  page,
}) => {
  provider.person = { sub: 'boss', email: administrator.email, email_verified: true };
  await page.goto(nazar.origin);
  await there(page);
  await expect(page.getByRole('alert')).toHaveText(/An account with your email already exists/);
  await page.getByLabel('Email').fill(administrator.email);
  await page.locator('input[name=password]').fill(administrator.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.goto(`${nazar.origin}/security`);
  await page.getByRole('button', { name: 'Connect Example ID' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input').fill(administrator.password);
  await dialog.getByRole('button', { name: 'Connect Example ID' }).click();
  await expect(page.getByText('Your account is connected to Example ID.')).toBeVisible();
  await keep(page, 'sign-on-connected');
  await page.getByRole('button', { name: 'Logout' }).first().click();
  await there(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

test('C-115 a user without a password signs in there once more, in another tab, and then deletes the account', async ({
  page,
}) => {
  provider.person = { sub: 'person-2', email: 'leaving@example.org', email_verified: true };
  await page.goto(nazar.origin);
  await there(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.goto(`${nazar.origin}/security`);
  await expect(page.getByText(/^Your account has no password/)).toBeVisible();
  const remove = { name: 'Delete Account' };
  await page.getByRole('button', remove).click();
  const dialog = page.getByRole('dialog', remove);
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
  await dialog.getByRole('button', remove).click();
  await expect(dialog.getByRole('alert')).toHaveText(/^Confirm it's you/);
  await keep(page, 'fresh-proof-asked');
  const opened = page.waitForEvent('popup');
  await there(page);
  const tab = await opened;
  await expect(tab.getByText(/^Confirmed\./)).toBeVisible();
  await tab.close();
  await page.bringToFront();
  await expect(dialog.getByText(/^You've just signed in with Example ID/)).toBeVisible();
  await keep(page, 'fresh-proof-given');
  await dialog.getByRole('button', remove).click();
  await expect(page.getByLabel('Email')).toBeVisible();
});
