/** Invitations and forgotten passwords from letter to sign-in, in a real browser (NSH-002, C-116). */
import { expect, test, type Page } from '@playwright/test';
import { mailServer, type MailServer } from '../server/src/testing/mail-server.ts';
import type { CreatedUser } from '@nazar/contract/users.ts';
import { administrator, freePort, Installation, until } from './installation.ts';

let box: MailServer;
let mailPort: number;
let nazar: Installation;

test.beforeAll(async () => {
  mailPort = await freePort();
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

const chosen = 'a-password-of-my-own-9';

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function choose(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: false }).first().fill(password);
  await page.locator('input[name=confirm]').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
}

const linkIn = (text: string): string => /http:\S+\/reset-password\/\S+/.exec(text)?.[0] ?? '';

test('C-116, ~NSH-047 an administrator invites a user, who chooses a password and signs in', async ({
  browser,
}) => {
  const desk = await browser.newPage();
  await desk.goto(nazar.origin);
  await signIn(desk, administrator.email, administrator.password);
  await desk.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  await desk.goto(`${nazar.origin}/settings/users`);
  await desk.getByRole('button', { name: 'Add user' }).click();
  await desk.getByLabel('First name').fill('Nigar');
  await desk.getByLabel('Last name').fill('Example');
  await desk.getByRole('dialog').getByLabel('Email').fill('nigar@example.org');
  await desk.getByRole('button', { name: 'Add user' }).click();
  const shown = await desk.getByLabel('Link (shown only once)').inputValue();
  await desk.getByRole('button', { name: 'Close' }).last().click();
  await expect(desk.getByText('Invited')).toBeVisible();

  const email = await emailTo('nigar@example.org');
  expect(linkIn(email.text)).toBe(shown);
  const guest = await (await browser.newContext()).newPage();
  const asked: string[] = [];
  guest.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer']}`));
  await guest.goto(shown);
  await expect(guest.getByRole('heading', { name: 'Welcome! Choose a password' })).toBeVisible();
  const token = new URL(shown).pathname.split('/').at(-1)!;
  expect(guest.url()).not.toContain(token);
  // The page itself was asked for by its address; no request for what it loads has the token.
  expect(asked.slice(1).filter((line) => line.includes(token))).toEqual([]);
  await choose(guest, chosen);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await guest.goto(shown);
  await choose(guest, `${chosen}-again`);
  await expect(guest.getByText('This link no longer works', { exact: false })).toBeVisible();
});

test('SES-006, NSH-002 a user who forgot a password gets an email, is signed out everywhere else, and goes on with the new one', async ({
  page,
  browser,
}) => {
  const { email } = await nazar.post<CreatedUser>(
    '/secure-api/accounts/users/',
    await nazar.signIn(),
    { email: 'forgetful@example.org', first_name: 'F', last_name: 'E' },
  );
  const invitation = linkIn((await emailTo(email)).text);
  await page.goto(invitation);
  await choose(page, chosen);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard');

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${nazar.origin}/login`);
  await other.getByRole('link', { name: 'Forgot password?' }).click();
  await other.getByLabel('Email').fill(email);
  await other.getByRole('button', { name: 'Send link' }).click();
  await expect(other.getByText('If this address has an account', { exact: false })).toBeVisible();
  await other.goto(linkIn((await emailTo(email, 2)).text));
  await choose(other, `${chosen}-new`);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Dashboard');
  await page.reload();
  await expect(page).toHaveURL(`${nazar.origin}/login`);
});

test('R-01 a letter that waits while the mail server is away outlives kill -9', async () => {
  await box[Symbol.asyncDispose]();
  const ask = { body: { email: administrator.email } };
  const reply = await nazar.call('POST', '/secure-api/accounts/password-reset/', ask);
  expect(reply.status).toBe(200);
  await until(
    'noted that it was not taken',
    () => nazar.printed,
    (text) => text.includes('a letter was not taken'),
    30_000,
  );
  await nazar.killAll();
  box = await mailServer(mailPort);
  await nazar.start();
  const email = await emailTo(administrator.email, 1, 40_000);
  expect(linkIn(email.text)).toContain('/reset-password/');
  expect(nazar.printed).not.toContain(administrator.email);
  expect(nazar.printed).not.toContain('nzl_');
});

/** The latest of so many letters with a link to that address; alerts come beside them. */
async function emailTo(email: string, count = 1, timeoutMs = 15_000) {
  const mine = () => box.delivered.filter(({ to, text }) => to[0] === email && linkIn(text) !== '');
  const found = await until(
    `email ${count} to ${email}`,
    mine,
    (all) => all.length >= count,
    timeoutMs,
  );
  return found[count - 1]!;
}
