/** Web push: messages to the browsers and phones of a user, which come also while no page is open. */
import { z } from 'zod/mini';
import { Language } from './accounts.ts';
import { AlertLevel } from './alerts.ts';
import { Id, Timestamp, requiredName } from './fields.ts';
import { cameraAdministrators, everyone, route } from './route.ts';

/** Each user may have so many. */
export const maxPushDevices = 20;

/** What a message says: that something happened, the names that its user may read as well, the picture as well. */
export const pushContents = ['event', 'names', 'pictures'] as const;
export const PushContent = z.enum(pushContents);
export type PushContent = z.infer<typeof PushContent>;

/**
 * Why the last message did not reach a push service. `refused`: it answered with another status than 2xx; `gone`: the
 * device does not exist there any more.
 */
export const pushFaults = [
  'refused',
  'gone',
  'redirected',
  'timeout',
  'unreachable',
  'name_unknown',
  'address_refused',
  'certificate_refused',
] as const;
export const PushFault = z.enum(pushFaults);
export type PushFault = z.infer<typeof PushFault>;

export const PushDevice = z.object({
  id: Id,
  /** As its page named it: "Chrome, Android". */
  name: z.string(),
  /** Host of its push service. */
  service: z.string(),
  added_at: Timestamp,
  /** When a page was last opened on it. */
  renewed_at: Timestamp,
  /** When the push service last took a message; null: it took none. */
  delivered_at: z.nullable(Timestamp),
  /** Null: the last message was taken. */
  fault: z.nullable(PushFault),
});
export type PushDevice = z.infer<typeof PushDevice>;

/** Unpadded base64url of so many bytes. */
const bytes = (count: number) =>
  z.string().check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}}$`)));

/** A subscription as the browser gives it; who knows it can send to the device, so no answer has it. */
export const PushDeviceFields = z.object({
  endpoint: z.string().check(z.minLength(1), z.maxLength(2000)),
  /** The public key of the device, and the secret that it shares with this server alone (RFC 8291). */
  p256dh: bytes(65),
  auth: bytes(16),
  name: requiredName(100),
  /** A page that opens says that the device is still there: one that is not the user's own is not added. */
  only_renew: z._default(z.boolean(), false),
});
export type PushDeviceFields = z.infer<typeof PushDeviceFields>;

export const PushState = z.object({
  /** For `PushManager.subscribe`; null: this installation sends no push messages. */
  public_key: z.nullable(z.string()),
  /** What messages say, for all users. */
  content: PushContent,
  /** The own devices, the newest first. */
  devices: z.array(PushDevice),
});
export type PushState = z.infer<typeof PushState>;

export const PushTest = z.object({
  is_delivered: z.boolean(),
  /** What the push service answered; null: it did not answer. */
  status: z.nullable(z.int()),
  fault: z.nullable(PushFault),
  took_ms: z.int(),
});
export type PushTest = z.infer<typeof PushTest>;

export const PushSettings = z.object({ content: PushContent });
export type PushSettings = z.infer<typeof PushSettings>;

/** What a message lets its reader do about an alert. `snooze`: its camera, for themselves, for `pushSnoozeMinutes`. */
export const pushActions = ['take', 'snooze', 'resolve'] as const;
export const PushAction = z.enum(pushActions);
export type PushAction = z.infer<typeof PushAction>;
export const pushSnoozeMinutes = 60;

/** Each message has one; it is good for one action and one picture, for a day. */
const Ticket = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));

export const PushActionFields = z.object({ ticket: Ticket, action: PushAction });
export type PushActionFields = z.infer<typeof PushActionFields>;

export const PushTicket = z.object({ ticket: Ticket });

/** What is encrypted for the device, and what its worker reads. */
export const PushMessage = z.object({
  /** A message replaces the one with the same tag. */
  tag: z.string(),
  title: z.string(),
  /** May be empty. */
  body: z.string(),
  language: Language,
  at: Timestamp,
  /** Path of the page about it. */
  path: z.string(),
  /** Null: it is about no alert. */
  level: z.nullable(AlertLevel),
  /** The all-clear of what the message of before said. */
  is_over: z.boolean(),
  actions: z.array(z.object({ action: PushAction, title: z.string() })),
  has_picture: z.boolean(),
  /** Null: there is nothing that it would open. */
  ticket: z.nullable(z.string()),
});
export type PushMessage = z.infer<typeof PushMessage>;

const one = z.object({ id: Id });

export const pushRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/notifications/push/',
    summary: 'The key of this installation for push messages, and the own devices.',
    callers: everyone,
    reply: PushState,
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/notifications/push/devices/',
    summary:
      'Adds this browser to the own devices, or says that it is still one; one of another user becomes theirs.',
    callers: everyone,
    body: PushDeviceFields,
    status: 200,
    reply: PushDevice,
    problems: ['push_unavailable', 'push_devices_too_many', 'push_device_not_found'],
    fieldProblems: ['push_endpoint_refused'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/notifications/push/devices/:id/',
    summary: 'Removes an own device.',
    callers: everyone,
    params: one,
    status: 204,
    problems: ['push_device_not_found'],
  }),
  test: route({
    method: 'POST',
    path: '/secure-api/notifications/push/devices/:id/test/',
    summary: 'Sends a message to an own device now, and says what its push service answered.',
    callers: everyone,
    params: one,
    status: 200,
    reply: PushTest,
    problems: ['push_unavailable', 'push_device_not_found'],
  }),
  act: route({
    method: 'POST',
    path: '/secure-api/notifications/push/action/',
    summary: 'Does what was pressed in a message, once, as the user of its device may now.',
    callers: 'anyone',
    body: PushActionFields,
    status: 204,
    problems: [
      'push_ticket_used',
      'forbidden',
      'alert_not_found',
      'alert_status_changed',
      'camera_not_found',
      'snoozes_too_many',
    ],
  }),
  picture: route({
    method: 'POST',
    path: '/secure-api/notifications/push/picture/',
    summary:
      'The picture of the alert of a message, once, as the user of its device may see it now.',
    callers: 'anyone',
    body: PushTicket,
    status: 200,
    produces: 'image/jpeg',
    problems: [
      'push_ticket_used',
      'alert_not_found',
      'sighting_not_found',
      'sighting_has_no_picture',
      'sighting_picture_hidden',
    ],
  }),
};

export const pushSettingsRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/notifications/push/settings/',
    summary: 'What push messages say, for all users.',
    callers: cameraAdministrators,
    reply: PushSettings,
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/notifications/push/settings/',
    summary: 'Changes it.',
    callers: cameraAdministrators,
    body: PushSettings,
    reply: PushSettings,
  }),
};
