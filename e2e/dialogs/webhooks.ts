/** What opens above the webhooks. */
import type { Page } from '@playwright/test';
import type { Webhook, WebhookDelivery, WebhookTest } from '@nazar/contract/webhooks.ts';
import { idOf } from '../busy-week.ts';
import { answer, button, press, said, sourceBelow, type Overlay, type Words } from './overlay.ts';

const in_ = sourceBelow('features/webhooks/');
const at = '2026-03-08T15:41:07.000Z';

const webhook: Webhook = {
  id: idOf(21),
  name: 'Home automation with a long name, ground floor',
  origin: 'https://home-automation.example.org:8443',
  content: 'people',
  least_level: 'warning',
  kinds: null,
  cameras: null,
  allow_loopback: false,
  is_enabled: true,
  is_gone: false,
  failures: 7,
  paused_until: at,
  old_secret_until: at,
  last_delivered_at: at,
  waiting: 3,
  failed: 2,
};
const other: Webhook = {
  ...webhook,
  id: idOf(22),
  name: 'Pager',
  origin: 'http://192.168.1.20',
  content: 'event',
  failures: 0,
  paused_until: null,
  old_secret_until: null,
  waiting: 0,
  failed: 0,
};

const delivery: WebhookDelivery = {
  id: idOf(23),
  receiver: webhook.id,
  receiver_name: webhook.name,
  event: 'alert.raised',
  alert: idOf(6),
  state: 'delivered',
  created_at: at,
  tries: 1,
  last_tried_at: at,
  status: 200,
  fault: null,
  took_ms: 12,
  next_try_at: null,
};
const deliveries: readonly WebhookDelivery[] = [
  { ...delivery, state: 'waiting', status: 503, fault: 'status', tries: 4, next_try_at: at },
  { ...delivery, id: idOf(24), state: 'failed', status: 307, fault: 'redirected', tries: 19 },
  { ...delivery, id: idOf(25), event: 'alert.over', receiver_name: other.name },
  { ...delivery, id: idOf(26), event: 'webhook.test', status: null, fault: 'certificate_refused' },
];

const test: WebhookTest = {
  is_delivered: false,
  status: 307,
  fault: 'redirected',
  took_ms: 1234,
};

/** Two webhooks, one of which fails, and what was sent to them. */
export async function beWebhooks(page: Page): Promise<void> {
  await answer(page, 'webhooks/', { results: [webhook, other] });
  await answer(page, 'webhooks/deliveries/?*', { count: deliveries.length, results: deliveries });
  await answer(page, `webhooks/${webhook.id}/test/`, test);
}

const page = { path: () => '/settings/webhooks', given: beWebhooks } as const;

const ofWebhook =
  (label: (words: Words) => string) =>
  (shown: Page, words: Words): Promise<void> =>
    press(shown, said(label(words), { name: webhook.name }));

export const webhookOverlays: readonly Overlay[] = [
  {
    name: 'webhook',
    source: in_('webhook-dialog'),
    ...page,
    act: button(({ webhooks }) => webhooks.add),
  },
  {
    name: 'webhook-test',
    source: in_('test-dialog'),
    ...page,
    act: ofWebhook(({ webhooks }) => webhooks.testOf),
  },
  {
    name: 'webhook-secret',
    source: in_('secret-dialog'),
    ...page,
    act: ofWebhook(({ webhooks }) => webhooks.secretOf),
  },
  {
    name: 'webhook-delete',
    source: in_('delete-webhook'),
    ...page,
    act: ofWebhook(({ webhooks }) => webhooks.deleteOf),
  },
];
