/// <reference lib="dom" />
/**
 * Webhooks from their page to a receiver on this machine: an administrator adds one, its secret signs what arrives, and
 * what the receiver answers stands on the page. `NAZAR_LOOKS=en-light,ru-dark` shows it in these languages and themes.
 */
import { createHmac } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from '@playwright/test';
import { beWebhooks } from './dialogs/webhooks.ts';
import { closeHttp, listenOnLoopback } from './farm/loopback.ts';
import { Installation } from './installation.ts';
import { askedLooks, choose, look, type Look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let nazar: Installation;
let receiver: Server;
let port: number;
let status = 204;
const received: Received[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(status).end();
}

test.beforeAll(async () => {
  nazar = await Installation.ready();
  receiver = createServer((request, response) => void answer(request, response));
  port = await listenOnLoopback(receiver);
});
test.afterAll(async () => {
  await closeHttp(receiver);
  await nazar.remove();
});

function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${signature}`;
}

test('a webhook is added, its secret signs what arrives, and the page says what the receiver answered', async ({
  page,
}) => {
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/settings/webhooks`);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Name/).fill('Home');
  await dialog.getByLabel(/^Address/).fill(`http://127.0.0.1:${port}/hook?token=topsecret`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/This address is this server itself/)).toBeVisible();
  await dialog.getByRole('switch', { name: /^Receiver on this server/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  const secret = await dialog.getByLabel(/^Secret/).inputValue();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'Webhooks' })).toContainText(`127.0.0.1:${port}`);

  await page.getByRole('button', { name: 'Test: Home' }).click();
  await expect(dialog).toContainText('The receiver took the test.');
  await expect(dialog).toContainText('HTTP 204');
  status = 500;
  await dialog.getByRole('button', { name: 'Test again' }).click();
  await expect(dialog).toContainText('HTTP 500');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(received).toHaveLength(2);
  expect(received.every((one) => isSigned(one, secret))).toBe(true);
  await expect(page.getByRole('table', { name: 'Deliveries' }).getByRole('row')).toHaveCount(3);
  await page.getByRole('combobox', { name: 'State' }).selectOption('Given up');
  await expect(page).toHaveURL(/state=failed/);
  await expect(page.getByRole('table', { name: 'Deliveries' }).getByRole('row')).toHaveCount(2);
  expect(await page.content()).not.toMatch(/topsecret|whsec/);
});

const looks: readonly Look[] = askedLooks ?? [
  ['en', 'light'],
  ['ru', 'dark'],
];
for (const [language, theme] of looks) {
  test(`with two webhooks in ${language}, ${theme}: nothing that axe finds, no sideways scrolling`, async ({
    page,
    context,
  }) => {
    await signInOn(page, nazar);
    await choose(context, language, theme);
    await beWebhooks(page);
    await page.goto(`${nazar.origin}/settings/webhooks`);
    await page.getByText('Pager').first().waitFor();
    const wrong: string[] = [];
    await look(page, `webhooks-${language}-${theme}`, wrong);
    expect(wrong).toEqual([]);
  });
}
