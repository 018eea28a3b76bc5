/** The first run, as a newcomer meets it. */
import { expect } from '@playwright/test';
import { administrator, Installation } from './installation.ts';
import { test } from './test.ts';

let nazar: Installation;
test.beforeAll(async () => {
  nazar = await Installation.create();
  await nazar.start();
});
test.afterAll(() => nazar.remove());

test('C-101 the link of the console leads through the wizard to the dashboard, once', async ({
  page,
}) => {
  await page.goto(nazar.origin);
  await expect(page).toHaveURL(/\/setup/);

  await page.goto(nazar.setupLink);
  await expect(page).not.toHaveURL(/code=/);
  await page.getByText('English').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('First name').fill(administrator.first);
  await page.getByLabel('Last name').fill(administrator.last);
  await page.getByLabel('Email').fill(administrator.email);
  await page.locator('input[name=password]').fill('too-short');
  await page.getByRole('button', { name: 'Create administrator' }).click();
  await expect(page.getByText(/12 characters/).first()).toBeVisible();
  await page.locator('input[name=password]').fill(administrator.password);
  await page.getByRole('button', { name: 'Create administrator' }).click();

  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL(`${nazar.origin}/`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');

  const again = await nazar.call('POST', '/secure-api/setup/administrator/', { body: {} });
  expect(again.status).toBe(410);
});
