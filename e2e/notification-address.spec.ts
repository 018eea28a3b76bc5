/**
 * Another email address for notifications, from the form to the letter and back, in a real browser (SET-017).
 * `NAZAR_LOOKS=en-light,ru-dark` shows the card in these languages and themes.
 */
import { expect, type Page } from '@playwright/test';
import { mailServer, type MailServer } from '../server/src/testing/mail-server.ts';
import { administrator, freePort, Installation } from './installation.ts';
import { askedLooks, choose, look, type Look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

const other = 'other@example.net';
let box: MailServer;
let nazar: Installation;

test.beforeAll(async () => {
  const mailPort = await freePort();
  nazar = await Installation.ready((origin) => ({
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: 'Nazar <nazar@example.org>',
    NAZAR_PUBLIC_URL: origin,
  }));
  box = await mailServer(mailPort);
});
test.afterAll(async () => {
  await nazar.remove();
  await box[Symbol.asyncDispose]();
});

const addressField = (page: Page) => page.locator('input[name=emailAddress]');
const codeField = (page: Page) => page.locator('input[name=code]');

test('another address is entered', async ({ page }) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/settings/notifications`);
  await addressField(page).fill(other);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Enter the code', { exact: false })).toContainText(other);
  await expect(page.getByText('Not confirmed yet.', { exact: false })).toContainText(
    administrator.email,
  );
});

const looks: readonly Look[] = askedLooks ?? [
  ['en', 'light'],
  ['ru', 'dark'],
];
for (const [language, theme] of looks) {
  test(`an address to confirm in ${language}, ${theme}: nothing that axe finds, no sideways scrolling`, async ({
    page,
    context,
  }) => {
    await signInOn(page, nazar);
    await choose(context, language, theme);
    await page.goto(`${nazar.origin}/settings/notifications`);
    await codeField(page).scrollIntoViewIfNeeded();
    const wrong: string[] = [];
    await look(page, `notification-address-${language}-${theme}`, wrong);
    expect(wrong).toEqual([]);
  });
}

test('SET-017 the code of the letter confirms it, and a wrong one says how many tries are left', async ({
  page,
}) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/settings/notifications`);
  const { text, to } = await box.email(0, /Code: \d{8}/);
  expect(to).toEqual([other]);
  await codeField(page).fill('1');
  await codeField(page).press('Enter');
  await expect(page.getByText('This code is wrong. Tries left: 4.')).toBeVisible();
  await codeField(page).fill(/Code: (\d{8})/.exec(text)![1]!);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Confirmed: ', { exact: false })).toBeVisible();
  await expect(addressField(page)).toHaveValue(other);
  await expect(addressField(page)).toBeFocused();
  await expect(codeField(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Confirmed: ', { exact: false })).toBeVisible();
});
