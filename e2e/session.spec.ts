/** Signing in and out in a real browser (SES). */
import { expect, type Page } from '@playwright/test';
import { administrator, Installation } from './installation.ts';
import { test } from './test.ts';

let nazar: Installation;
test.beforeAll(async () => {
  nazar = await Installation.ready();
});
test.afterAll(() => nazar.remove());

async function signIn(page: Page, password: string = administrator.password): Promise<void> {
  await page.getByLabel('Email').fill(administrator.email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const stored = (page: Page): Promise<string[]> => page.evaluate(() => Object.keys(localStorage));

test('NAV-004, NAV-006, SES-013 signed out every path leads to the login, which says what was wrong', async ({
  page,
}) => {
  await page.goto(`${nazar.origin}/cameras`);
  await expect(page).toHaveURL(`${nazar.origin}/login`);
  await signIn(page, 'not the password');
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
});

test('~SES-010, ~SES-011, SES-012 in, known paths, and out again with nothing left behind', async ({
  page,
}) => {
  await page.goto(nazar.origin);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  expect(await stored(page)).toEqual(
    expect.arrayContaining(['auth-token', 'refresh-token', 'user-data']),
  );
  await test.step('NAV-019 a path that is not there leads to the dashboard', async () => {
    await page.goto(`${nazar.origin}/no-such-page`);
    await expect(page).toHaveURL(`${nazar.origin}/`);
  });

  await test.step('~SES-025, SES-026 Logout leads to the login, and leaves nothing behind', async () => {
    await page.getByRole('button', { name: 'Logout' }).first().click();
    await expect(page).toHaveURL(`${nazar.origin}/login`);
    const left = await stored(page);
    for (const key of ['auth-token', 'refresh-token', 'user-data']) expect(left).not.toContain(key);
  });
});

test('LNG-001 in Azerbaijani dates are words, also in a browser that has no data for it', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('language', 'az'));
  await page.goto(nazar.origin);
  await page.locator('input[type=email]').fill(administrator.email);
  await page.locator('input[name=password]').fill(administrator.password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${nazar.origin}/profile`);
  await expect(page.locator('time').first()).toHaveText(/(indi|öncə) · \d\d:\d\d/);
  const text = await page.locator('main').innerText();
  expect(text).toMatch(/\d{1,2} (yan|fev|mar|apr|may|iyn|iyl|avq|sen|okt|noy|dek) \d{4}/);
  expect(text).not.toMatch(/\bM\d\d\b/);
});

test('NAV-026, NAV-027, NAV-028 the sidebar is 250 px wide, 60 px when collapsed, opens again, and ends with Logout', async ({
  page,
}) => {
  await page.goto(nazar.origin);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  const width = (): Promise<number> =>
    navigation.evaluate((node) => node.closest('aside')?.getBoundingClientRect().width ?? 0);
  await expect.poll(width).toBe(250);
  const sidebar = page.locator('aside', { has: navigation });
  const [whole, logout] = [
    await sidebar.boundingBox(),
    await sidebar.getByRole('button', { name: 'Logout' }).boundingBox(),
  ];
  expect(whole!.y + whole!.height - (logout!.y + logout!.height)).toBeLessThan(24);
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await expect.poll(width).toBe(60);
  await page.reload();
  await expect.poll(width).toBe(60);
  await page.getByRole('button', { name: 'Expand sidebar' }).click();
  await expect.poll(width).toBe(250);
  await page.reload();
  await expect.poll(width).toBe(250);
  await test.step('NAV-031 Logout at its end logs out', async () => {
    await sidebar.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(`${nazar.origin}/login`);
  });
});

test('~NSH-003, C-203 tokens taken out of the browser are worth nothing elsewhere once they are refreshed', async ({
  page,
}) => {
  await page.goto(nazar.origin);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  const refresh = await page.evaluate(() => localStorage.getItem('refresh-token'));
  const stolen = await nazar.call('POST', '/token/refresh/', { body: { refresh } });
  expect(stolen.status).toBe(401);
  // The family is ended: the browser notices with its next call.
  await page.reload();
  await expect(page).toHaveURL(`${nazar.origin}/login`);
});

test('SES-015, SES-016 an expired access token is exchanged once, in two tabs at the same time', async ({
  context,
}) => {
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(nazar.origin);
  await signIn(first);
  await expect(first.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await first.evaluate(() => localStorage.setItem('auth-token', 'nza_expired'));
  await Promise.all([first.goto(`${nazar.origin}/cameras`), second.goto(nazar.origin)]);
  await expect(first.getByRole('heading', { level: 1 })).toHaveText('Cameras');
  await expect(second.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
});

test('PRO-008, PRO-010, PRO-012 Edit Profile opens the form and sends nothing; Save sends it, once', async ({
  page,
}) => {
  await page.goto(nazar.origin);
  await signIn(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.goto(`${nazar.origin}/profile`);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(new URL(request.url()).pathname);
  });
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Position').fill('Night shift');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Night shift')).toHaveCount(0);
  expect(sent).toEqual([]);
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await page.getByLabel('Position').fill('Day shift');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  expect(sent).toEqual(['/secure-api/accounts/users/update_me/']);
});
