/** Webhooks with sensible contents; a test names only what it is about. */
import type { Webhook, WebhookDelivery } from '@nazar/contract/webhooks.ts';
import { anId } from './builders.ts';

export const aWebhook = (over: Partial<Webhook> = {}): Webhook => ({
  id: anId(),
  name: 'Home automation',
  origin: 'https://192.168.1.20',
  content: 'event',
  least_level: 'warning',
  kinds: null,
  cameras: null,
  allow_loopback: false,
  is_enabled: true,
  is_gone: false,
  failures: 0,
  paused_until: null,
  old_secret_until: null,
  last_delivered_at: '2026-03-04T05:06:07.000Z',
  waiting: 0,
  failed: 0,
  ...over,
});

export const aDelivery = (over: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: anId(),
  receiver: anId(),
  receiver_name: 'Home automation',
  event: 'alert.raised',
  alert: anId(),
  state: 'delivered',
  created_at: '2026-03-04T05:06:07.000Z',
  tries: 1,
  last_tried_at: '2026-03-04T05:06:07.000Z',
  status: 200,
  fault: null,
  took_ms: 12,
  next_try_at: null,
  ...over,
});
