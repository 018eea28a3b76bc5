/** The second factor and passkeys in a real browser, the latter with Chromium's own software authenticator. */
import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { administrator, Installation } from './installation.ts';
import { test } from './test.ts';

let nazar: Installation;
test.beforeAll(async () => {
  nazar = await Installation.ready();
});
test.afterAll(() => nazar.remove());

/** RFC 6238, written a second time: what a phone would show `steps` of 30 s from now. */
function codeOf(secret: string, steps = 0): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0'));
  const key = Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => parseInt(byte, 2)),
  );
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac[19]! & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

async function password(page: Page, remember = false): Promise<void> {
  await page.getByLabel('Email').fill(administrator.email);
  await page.locator('input[name=password]').fill(administrator.password);
  if (remember) await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).first().click();
  await expect(page.getByLabel('Email')).toBeVisible();
}

test('~SEC-010, ~PRO-018, C-109 turned on with a code, asked for at the next login, replaced by a recovery code, turned off', async ({
  page,
}) => {
  await page.goto(nazar.origin);
  await password(page);
  await expect(heading(page)).toHaveText('Dashboard');
  await page.goto(`${nazar.origin}/profile`);
  await page.getByRole('link', { name: 'Two-Factor Authentication Off' }).click();
  const card = page.getByRole('region', { name: 'Two-Factor Authentication' });
  await card.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText()).replace(
    /\s/g,
    '',
  );
  await dialog.getByLabel('Code from the app').fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('This code is wrong or was already used.')).toBeVisible();
  await dialog.getByLabel('Code from the app').fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const recovery = await dialog.getByRole('listitem').allInnerTexts();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await saved).suggestedFilename()).toBe('nazar-recovery-codes.txt');
  await dialog.getByRole('button', { name: "I've saved them" }).click();
  await expect(card.getByText('10 codes left')).toBeVisible();

  await leave(page);
  await password(page, true);
  await expect(heading(page)).toHaveText('Two-factor authentication');
  expect(await page.evaluate(() => localStorage.getItem('auth-token'))).toBeNull();
  await page.getByLabel('Code from the app').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This code is wrong or was already used.')).toBeVisible();
  // The code of the present step was used to turn it on.
  await page.getByLabel('Code from the app').fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Dashboard');
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('session'));
  expect(cookie!.expires).toBeGreaterThan(0);

  await leave(page);
  await password(page);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery[0]!);
  await page.keyboard.press('Enter');
  await expect(heading(page)).toHaveText('Dashboard');
  await page.goto(`${nazar.origin}/security`);
  await expect(card.getByText('9 codes left')).toBeVisible();
  await card.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Your password').fill(administrator.password);
  await dialog.getByLabel('Code').fill(recovery[1]!);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(card.getByText('Not set up')).toBeVisible();
  await leave(page);
  await password(page);
  await expect(heading(page)).toHaveText('Dashboard');
});

test('passkeys: added, used in place of the password and after it, removed; at an address the page says why not', async ({
  page,
}) => {
  const byName = nazar.origin.replace('127.0.0.1', 'localhost');
  await page.goto(nazar.origin);
  await password(page);
  await expect(heading(page)).toHaveText('Dashboard');
  await page.goto(`${nazar.origin}/security`);
  await expect(page.getByText(/^Passkeys need a host name/)).toBeVisible();

  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.goto(byName);
  await password(page);
  await expect(heading(page)).toHaveText('Dashboard');
  await page.goto(`${byName}/security`);
  const card = page.getByRole('region', { name: 'Passkeys' });
  const dialog = page.getByRole('dialog');
  await card.getByRole('button', { name: 'Add passkey' }).click();
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByLabel('Your password').fill(administrator.password);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await dialog.getByRole('button', { name: "I've saved them" }).click();
  await expect(card.getByText('For localhost, not used yet')).toBeVisible();

  await leave(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(heading(page)).toHaveText('Dashboard');
  await leave(page);
  await password(page);
  await expect(heading(page)).toHaveText('Two-factor authentication');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('No passkey was used. Try again.')).toBeVisible();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(heading(page)).toHaveText('Dashboard');

  await page.goto(`${byName}/security`);
  await card.getByRole('button', { name: 'Remove passkey Laptop' }).click();
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click();
  await expect(dialog.getByLabel('Code')).toBeHidden();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('The passkey was removed.')).toBeVisible();
  await leave(page);
  await password(page);
  await expect(heading(page)).toHaveText('Dashboard');
});
