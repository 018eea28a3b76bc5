/** Webhooks: programs of others that are sent what happens to alerts, signed as Standard Webhooks has it. */
import { z } from 'zod/mini';
import { AlertKind, AlertLevel } from './alerts.ts';
import {
  DateOrInstant,
  Id,
  Timestamp,
  logPeriod,
  page,
  queryInteger,
  requiredName,
  requiredText,
  results,
  timezone,
} from './fields.ts';
import { cameraAdministrators, route } from './route.ts';

export const maxWebhooks = 20;

/** What of an alert leaves the house: that it is so, the name of its camera as well, names of people and a link as well. */
export const webhookContents = ['event', 'cameras', 'people'] as const;
export const WebhookContent = z.enum(webhookContents);
export type WebhookContent = z.infer<typeof WebhookContent>;

export const webhookEvents = ['alert.raised', 'alert.over', 'webhook.test'] as const;
export const WebhookEvent = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export const WebhookDeliveryState = z.enum(webhookDeliveryStates);
export type WebhookDeliveryState = z.infer<typeof WebhookDeliveryState>;

/**
 * Why the last try delivered nothing. `status`: the receiver answered with another status than 2xx; `gone`: with 410;
 * `expired`: no try was made within a day; `disabled`: the webhook was turned off; `alert_gone`: the alert was deleted.
 */
export const webhookFaults = [
  'status',
  'gone',
  'redirected',
  'timeout',
  'unreachable',
  'name_unknown',
  'address_refused',
  'certificate_refused',
  'expired',
  'disabled',
  'alert_gone',
] as const;
export const WebhookFault = z.enum(webhookFaults);
export type WebhookFault = z.infer<typeof WebhookFault>;

const Kinds = z.nullable(z.array(AlertKind).check(z.minLength(1), z.maxLength(20)));
const Cameras = z.nullable(z.array(Id).check(z.minLength(1), z.maxLength(1000)));
/** Its path and query may hold a token: it is stored encrypted, and no answer has it. */
const Address = requiredText(2000);

export const Webhook = z.object({
  id: Id,
  name: z.string(),
  /** Scheme, host and port of its address. */
  origin: z.string(),
  content: WebhookContent,
  /** It is sent alerts of this level, and of more important ones. */
  least_level: AlertLevel,
  /** Null: alerts of all kinds. */
  kinds: Kinds,
  /** Null: alerts of all cameras, and of none. */
  cameras: z.nullable(z.array(Id)),
  /** Whether its address may be this machine. */
  allow_loopback: z.boolean(),
  is_enabled: z.boolean(),
  /** Whether the receiver ended it by the status 410. */
  is_gone: z.boolean(),
  /** Tries that failed since the last one that did not. */
  failures: z.int(),
  /** After many failures nothing is sent until then; null: it is sent what is due. */
  paused_until: z.nullable(Timestamp),
  /** Until then the secret of before signs as well; null: there is one secret. */
  old_secret_until: z.nullable(Timestamp),
  last_delivered_at: z.nullable(Timestamp),
  /** Events that wait. */
  waiting: z.int(),
  /** Events that were given up within 30 days; they can be sent again. */
  failed: z.int(),
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhookFields = z.object({
  name: requiredName(100),
  address: Address,
  content: z._default(WebhookContent, 'event'),
  least_level: z._default(AlertLevel, 'warning'),
  kinds: z._default(Kinds, null),
  cameras: z._default(Cameras, null),
  allow_loopback: z._default(z.boolean(), false),
  is_enabled: z._default(z.boolean(), true),
});
export type WebhookFields = z.infer<typeof WebhookFields>;

/** What is left out stays as it is. */
export const WebhookChange = z.object({
  name: z.optional(requiredName(100)),
  address: z.optional(Address),
  content: z.optional(WebhookContent),
  least_level: z.optional(AlertLevel),
  kinds: z.optional(Kinds),
  cameras: z.optional(Cameras),
  allow_loopback: z.optional(z.boolean()),
  is_enabled: z.optional(z.boolean()),
});
export type WebhookChange = z.infer<typeof WebhookChange>;

/** The secret is in this answer and in no other. */
export const WebhookWithSecret = z.extend(Webhook, { secret: z.string() });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookTest = z.object({
  is_delivered: z.boolean(),
  /** The HTTP status that the receiver answered with; null: it did not answer. */
  status: z.nullable(z.int()),
  fault: z.nullable(WebhookFault),
  /** Milliseconds until the answer, or until it was given up. */
  took_ms: z.int(),
});
export type WebhookTest = z.infer<typeof WebhookTest>;

/** An event on its way to a receiver, without what is in it. */
export const WebhookDelivery = z.object({
  /** What the receiver knows it by (`webhook-id`). */
  id: Id,
  receiver: Id,
  receiver_name: z.string(),
  event: WebhookEvent,
  /** Null: a test. */
  alert: z.nullable(Id),
  state: WebhookDeliveryState,
  created_at: Timestamp,
  tries: z.int(),
  last_tried_at: z.nullable(Timestamp),
  /** The HTTP status of the last try; null: none came. */
  status: z.nullable(z.int()),
  fault: z.nullable(WebhookFault),
  took_ms: z.nullable(z.int()),
  /** Null: it does not wait. */
  next_try_at: z.nullable(Timestamp),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const webhookDeliveryOrders = ['-created_at', 'created_at'] as const;

export const WebhookDeliveryQuery = z
  .object({
    /** Deliveries to this webhook. */
    receiver: z.optional(Id),
    state: z.optional(WebhookDeliveryState),
    start_date: z.optional(DateOrInstant),
    end_date: z.optional(DateOrInstant),
    timezone,
    ordering: z._default(z.enum(webhookDeliveryOrders), '-created_at'),
    page: queryInteger(1, 1_000_000, 1),
    page_size: queryInteger(1, 200, 25),
  })
  .check(...logPeriod);
export type WebhookDeliveryQuery = z.infer<typeof WebhookDeliveryQuery>;

/** `more`: there are more than `count`, which was not counted further. */
export const WebhookDeliveryPage = z.extend(page(WebhookDelivery), {
  more: z.optional(z.literal(true)),
});
export type WebhookDeliveryPage = z.infer<typeof WebhookDeliveryPage>;

const one = z.object({ id: Id });
const ofAddress = [
  'camera_not_found',
  'webhook_address_invalid',
  'webhook_address_login',
  'webhook_address_loopback',
  'webhook_address_refused',
] as const;

export const webhookRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/webhooks/',
    summary: 'The webhooks, and how each is doing.',
    callers: cameraAdministrators,
    reply: results(Webhook),
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/webhooks/',
    summary: 'Adds a webhook. Its secret is in this answer only.',
    callers: cameraAdministrators,
    body: WebhookFields,
    reply: WebhookWithSecret,
    status: 201,
    problems: ['webhooks_too_many'],
    fieldProblems: ofAddress,
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/webhooks/:id/',
    summary: 'Changes a webhook. Events that wait are given up when it is turned off.',
    callers: cameraAdministrators,
    params: one,
    body: WebhookChange,
    reply: Webhook,
    problems: ['webhook_not_found'],
    fieldProblems: ofAddress,
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/webhooks/:id/',
    summary: 'Deletes a webhook with its secret, its events that wait, and its deliveries.',
    callers: cameraAdministrators,
    params: one,
    status: 204,
    problems: ['webhook_not_found'],
  }),
  rotate: route({
    method: 'POST',
    path: '/secure-api/webhooks/:id/rotate_secret/',
    summary:
      'Makes a new secret. The one of before signs as well for 24 hours, or until it is ended.',
    callers: cameraAdministrators,
    params: one,
    status: 200,
    reply: WebhookWithSecret,
    problems: ['webhook_not_found'],
  }),
  endOldSecret: route({
    method: 'POST',
    path: '/secure-api/webhooks/:id/end_old_secret/',
    summary: 'Ends the secret of before.',
    callers: cameraAdministrators,
    params: one,
    status: 200,
    reply: Webhook,
    problems: ['webhook_not_found'],
  }),
  test: route({
    method: 'POST',
    path: '/secure-api/webhooks/:id/test/',
    summary: 'Sends a test event now, and says what the receiver answered.',
    callers: cameraAdministrators,
    params: one,
    status: 200,
    reply: WebhookTest,
    problems: ['webhook_not_found'],
  }),
  replayFailed: route({
    method: 'POST',
    path: '/secure-api/webhooks/:id/send_failed_again/',
    summary: 'Sends again all events of a webhook that were given up.',
    callers: cameraAdministrators,
    params: one,
    status: 200,
    reply: z.object({ count: z.int() }),
    problems: ['webhook_not_found', 'webhook_disabled'],
  }),
};

export const webhookDeliveryRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/webhooks/deliveries/',
    summary: 'What was sent to webhooks within 30 days, and what became of it.',
    callers: cameraAdministrators,
    query: WebhookDeliveryQuery,
    reply: WebhookDeliveryPage,
    fieldProblems: ['time_zone_unknown', 'page_too_late'],
  }),
  replay: route({
    method: 'POST',
    path: '/secure-api/webhooks/deliveries/:id/send_again/',
    summary: 'Sends an event again that was delivered or given up: with the same id.',
    callers: cameraAdministrators,
    params: one,
    status: 200,
    reply: WebhookDelivery,
    problems: ['webhook_delivery_not_found', 'webhook_delivery_not_done', 'webhook_disabled'],
  }),
};
