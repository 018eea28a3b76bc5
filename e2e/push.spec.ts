/// <reference lib="dom" />
/**
 * Push messages from an alert to the worker of a browser: the server encrypts for the device and posts to a push service
 * on this machine, which opens it; the worker shows it, and what is pressed there is done. Chromium without a network
 * has no push service of its own, so its subscription is replaced, and messages are put into the worker.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type BrowserContext, type Page } from '@playwright/test';
import type { Alert } from '@nazar/contract/alerts.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { pushService, type PushService } from '../server/src/testing/push-service.ts';
import { Installation, root } from './installation.ts';
import { askedLooks, choose, look, type Look } from './look.ts';
import { signInOn } from './people.ts';
import { test } from './test.ts';

test.use({ serviceWorkers: 'allow' });

const folder = mkdtempSync(join(tmpdir(), 'nazar-push-'));
let nazar: Installation;
let service: PushService;
let access: string;

test.beforeAll(async () => {
  service = await pushService('127.0.0.1');
  const trusted = join(folder, 'certificate.pem');
  writeFileSync(trusted, service.certificate);
  nazar = await Installation.ready(() => ({
    NODE_EXTRA_CA_CERTS: trusted,
    NAZAR_PUSH_NETWORKS: '127.0.0.1/32',
    NAZAR_PUBLIC_URL: 'https://nazar.example.org',
  }));
  access = await nazar.signIn();
});
test.afterAll(async () => {
  await nazar.remove();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** The browser is given subscriptions by the push service of this test. */
async function canSubscribe(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['notifications'], { origin: nazar.origin });
  const { endpoint, p256dh, auth } = service.device('desk');
  await context.addInitScript(
    (json) => {
      let isOn = localStorage.getItem('test-subscribed') !== null;
      const keep = (on: boolean): void => {
        isOn = on;
        if (on) localStorage.setItem('test-subscribed', 'yes');
        else localStorage.removeItem('test-subscribed');
      };
      const subscription = { toJSON: () => json, unsubscribe: async () => (keep(false), true) };
      const replaced = {
        getSubscription: async () => (isOn ? subscription : null),
        subscribe: async () => (keep(true), subscription),
      };
      Object.assign(PushManager.prototype, replaced);
    },
    { endpoint, keys: { p256dh, auth } },
  );
}

/** Puts what the push service received into the worker, as a browser does. */
async function deliver(page: Page, message: object): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [found] = registrations;
    if (found) registered.resolve(found.registrationId);
  });
  await devTools.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  const data = JSON.stringify(message);
  await devTools.send('ServiceWorker.deliverPushMessage', {
    origin: nazar.origin,
    registrationId,
    data,
  });
  await devTools.detach();
}

interface Standing {
  readonly title: string;
  readonly tag: string;
  readonly body: string;
}
const standing = (page: Page): Promise<Standing[]> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const found = await registration.getNotifications();
    return found.map(({ title, tag, body }) => ({ title, tag, body }));
  });

/** A press in a notification, which no test can make with a mouse. */
async function pressIn(context: BrowserContext, pressed: { tag: string; action: string }) {
  const [worker] = context.serviceWorkers();
  await worker!.evaluate(async ({ tag, action }) => {
    const scope = self as unknown as {
      registration: ServiceWorkerRegistration;
      NotificationEvent: new (type: string, init: object) => Event;
    };
    const [notification] = await scope.registration.getNotifications({ tag });
    const init = { notification, action };
    self.dispatchEvent(new scope.NotificationEvent('notificationclick', init));
  }, pressed);
}

function raiseAlert(cameraId: string): string {
  const file = join(root, 'server/src/testing/alert-process.ts');
  const { code, said } = nazar.runFile(file, [], cameraId);
  if (code !== 0) throw new Error(`no alert was raised: ${said}`);
  return said;
}
const alertNow = async (id: string): Promise<Alert> =>
  nazar.get<Alert>(`/secure-api/alerts/${id}/`, access);

async function turnOn(page: Page): Promise<void> {
  await page.goto(`${nazar.origin}/settings/notifications`);
  await page.getByRole('button', { name: 'Turn on on this device' }).click();
  await expect(page.getByText('This device receives push notifications.')).toBeVisible();
}

test('~NOTE-008 ~NSH-008 an alert is shown by the worker of a browser, and taken by a press there, once', async ({
  page,
  context,
}) => {
  await canSubscribe(context);
  await signInOn(page, nazar);
  await turnOn(page);
  await expect(page.getByRole('switch', { name: /^Push notifications/ })).toBeChecked();
  await page.getByRole('button', { name: /^Test: / }).click();
  await expect(page.getByText(/The push service took the test/)).toBeVisible();
  await deliver(page, service.received[0]!.message);
  await expect.poll(() => standing(page)).toMatchObject([{ title: 'Nazar: test', tag: 'test' }]);

  const fields = {
    name: 'Gate',
    location: 'Site',
    type: 'rtsp',
    url: 'rtsp://10.1.1.1/',
    status: 'inactive',
  };
  const camera = await nazar.post<Camera>('/secure-api/cameras/', access, fields);
  const id = raiseAlert(camera.id);
  await expect.poll(() => service.received.length).toBe(2);
  const { message } = service.received[1]!;
  expect(message.title).toBe('An unknown person was seen');
  await deliver(page, message);
  await deliver(page, message);
  await expect
    .poll(async () => (await standing(page)).map(({ tag }) => tag).toSorted())
    .toEqual(['test', message.tag].toSorted());

  await pressIn(context, { tag: message.tag, action: 'take' });
  await expect.poll(async () => (await alertNow(id)).status).toBe('in_progress');
  await expect.poll(async () => (await standing(page)).length).toBe(1);
  await deliver(page, message);
  await expect.poll(async () => (await standing(page)).length).toBe(2);
  await pressIn(context, { tag: message.tag, action: 'resolve' });
  await expect
    .poll(() => standing(page))
    .toContainEqual(
      expect.objectContaining({ title: expect.stringMatching(/^This message was used/) }),
    );
  expect((await alertNow(id)).status).toBe('in_progress');
});

const looks: readonly Look[] = askedLooks ?? [
  ['en', 'light'],
  ['ru', 'dark'],
];
for (const [language, theme] of looks) {
  test(`the devices in ${language}, ${theme}: nothing that axe finds, no sideways scrolling`, async ({
    page,
    context,
  }) => {
    await canSubscribe(context);
    await signInOn(page, nazar);
    await turnOn(page);
    await choose(context, language, theme);
    await page.reload();
    const device = page.getByRole('listitem').filter({ hasText: '127.0.0.1:' });
    await device.scrollIntoViewIfNeeded();
    const wrong: string[] = [];
    await look(page, `push-${language}-${theme}`, wrong);
    await device.getByRole('button').last().click();
    await page.getByRole('alertdialog').waitFor();
    await look(page, `push-removing-${language}-${theme}`, wrong);
    expect(wrong).toEqual([]);
  });
}
