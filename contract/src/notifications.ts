/** Notifications: what a user is informed of, on the page and by other channels, and what they wish to hear of. */
import { z } from 'zod/mini';
import { AlertLevel } from './alerts.ts';
import {
  EmailAddress,
  Id,
  Timestamp,
  page,
  queryFlag,
  queryInteger,
  requiredText,
} from './fields.ts';
import { everyone, route } from './route.ts';

/** The two filters of the page beside all and unread. */
export const notificationTypes = ['alert', 'system'] as const;
export const NotificationType = z.enum(notificationTypes);
export type NotificationType = z.infer<typeof NotificationType>;

/**
 * What happened. Each has its sentences in `server.json` (`notification.<kind>`); an alert is said as the list of alerts
 * says it. `alert`, `known_person` (a visit of a person, where that is wished) are of the type `alert`; `account` (the
 * security of the own account), `export_done` and `export_failed` are of the type `system`.
 */
export const notificationKinds = [
  'alert',
  'known_person',
  'account',
  'export_done',
  'export_failed',
] as const;
export const NotificationKind = z.enum(notificationKinds);
export type NotificationKind = z.infer<typeof NotificationKind>;

export const Notification = z.object({
  id: Id,
  type: NotificationType,
  kind: NotificationKind,
  /** The level of the alert as it is now; null: it is about no alert. */
  level: z.nullable(AlertLevel),
  /** One line, in the reader's language, with the names that the reader may know today. */
  title: z.string(),
  /** A sentence more, in the reader's language. */
  message: z.string(),
  is_read: z.boolean(),
  created_at: Timestamp,
  /** What it leads to, at most one of them; null also once that is gone or no longer the reader's to see. */
  alert: z.nullable(Id),
  visit: z.nullable(Id),
  export: z.nullable(Id),
});
export type Notification = z.infer<typeof Notification>;

export const NotificationQuery = z.object({
  is_read: z.optional(queryFlag),
  type: z.optional(NotificationType),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 200, 25),
});
export type NotificationQuery = z.infer<typeof NotificationQuery>;

export const UnreadCount = z.object({ unread_count: z.int() });
export type UnreadCount = z.infer<typeof UnreadCount>;

/** As the header `Last-Event-ID`, for the first connection of programs that send it only when they come back. */
export const NotificationStreamQuery = z.object({ last_event_id: z.optional(Id) });

/** `notification`: a Notification, under its id. `unread_count`: an UnreadCount. */
export const notificationEvents = ['notification', 'unread_count'] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** More that a reader missed, or that come at once, are only in the list. */
export const maxStreamedAtOnce = 100;

export const maxMarked = 500;
export const MarkAsReadFields = z.union([
  z.object({ all: z.literal(true) }),
  z.object({ notification_ids: z.array(Id).check(z.minLength(1), z.maxLength(maxMarked)) }),
]);
export type MarkAsReadFields = z.infer<typeof MarkAsReadFields>;

/** `HH:MM` of the reader's day. */
export const TimeOfDay = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/));
/** 1: Monday, 7: Sunday. */
const Weekday = z.int().check(z.gte(1), z.lte(7));

/** In-app notifications are always on; channels beside them are not. */
const settingsFields = {
  email: z.boolean(),
  push: z.boolean(),
  sms: z.boolean(),
  /**
   * Null: the address of the account. Another one counts once the code that is mailed to it is entered; until then
   * emails go to the address of the account.
   */
  emailAddress: z.nullable(EmailAddress),
  /** Alerts about unknown people. */
  notifyOnUnknown: z.boolean(),
  /** Every visit of a known person at a camera that one may see; many at a camera become one. */
  notifyOnKnown: z.boolean(),
  dailyReports: z.boolean(),
  alert_levels: z.array(AlertLevel).check(z.maxLength(4)),
  /** Null: all cameras that one may see, those added later, too. */
  cameras: z.nullable(z.array(Id).check(z.maxLength(1000))),
  /** People one never wishes to hear of. */
  muted_people: z.array(Id).check(z.maxLength(1000)),
  /** Both null: no quiet hours. Until a time before `quiet_from`: the next morning. Critical alerts pass. */
  quiet_from: z.nullable(TimeOfDay),
  quiet_to: z.nullable(TimeOfDay),
  /** The days on which quiet hours begin. */
  quiet_days: z.array(Weekday).check(z.maxLength(7)),
};

export const NotificationSettings = z.object({
  ...settingsFields,
  /** Whether `emailAddress` is confirmed; true where that is null. */
  email_confirmed: z.boolean(),
  /** Channels that this installation can use at all. */
  available: z.object({ email: z.boolean(), push: z.boolean(), sms: z.boolean() }),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/**
 * Fields that are left out stay as they are; the two ends of the quiet hours are sent together. Clients of the documents
 * send the names in snake_case as well.
 */
export const NotificationSettingsChange = z
  .partial(
    z.object({
      ...settingsFields,
      email_address: settingsFields.emailAddress,
      notify_on_unknown: settingsFields.notifyOnUnknown,
      notify_on_known: settingsFields.notifyOnKnown,
      daily_reports: settingsFields.dailyReports,
    }),
  )
  .check(
    z.refine(
      ({ quiet_from: from, quiet_to: to }) =>
        (from === undefined) === (to === undefined) && (from === null) === (to === null),
      { path: ['quiet_to'] },
    ),
  );
export type NotificationSettingsChange = z.infer<typeof NotificationSettingsChange>;

/** Eight digits; spaces and dashes are as people type them. */
export const ConfirmAddressFields = z.object({ code: requiredText(32) });
export type ConfirmAddressFields = z.infer<typeof ConfirmAddressFields>;

const one = z.object({ id: Id });

export const notificationRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/notifications/',
    summary: 'The own notifications, the newest first.',
    callers: everyone,
    keyScope: 'notifications:read',
    query: NotificationQuery,
    reply: page(Notification),
    fieldProblems: ['page_too_late'],
  }),
  unreadCount: route({
    method: 'GET',
    path: '/secure-api/notifications/unread_count/',
    summary: 'How many of the own notifications are not read.',
    callers: everyone,
    keyScope: 'notifications:read',
    reply: UnreadCount,
  }),
  stream: route({
    method: 'GET',
    path: '/secure-api/notifications/stream/',
    summary:
      'New own notifications and how many are not read, as they happen (server-sent events).',
    callers: everyone,
    keyScope: 'notifications:read',
    query: NotificationStreamQuery,
    produces: 'text/event-stream',
    problems: ['notification_streams_too_many'],
  }),
  read: route({
    method: 'PATCH',
    path: '/secure-api/notifications/:id/read/',
    summary: 'Marks one as read.',
    callers: everyone,
    params: one,
    reply: Notification,
    problems: ['notification_not_found'],
  }),
  markAsRead: route({
    method: 'POST',
    path: '/secure-api/notifications/mark_as_read/',
    summary: 'Marks all, or those named, as read.',
    callers: everyone,
    body: MarkAsReadFields,
    status: 200,
    reply: UnreadCount,
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/notifications/:id/',
    summary: 'Removes one for this user.',
    callers: everyone,
    params: one,
    status: 204,
    problems: ['notification_not_found'],
  }),
};

export const notificationSettingsRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/notifications/settings/my_settings/',
    summary: 'What the caller wishes to be informed of, and how.',
    callers: everyone,
    reply: NotificationSettings,
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/notifications/settings/update_my_settings/',
    summary: 'Changes it. Another email address is mailed a code.',
    callers: everyone,
    body: NotificationSettingsChange,
    reply: NotificationSettings,
    fieldProblems: [
      'camera_not_found',
      'face_not_found',
      'notification_channel_unavailable',
      'notification_codes_too_many',
    ],
  }),
  confirmAddress: route({
    method: 'POST',
    path: '/secure-api/notifications/settings/confirm_address/',
    summary: 'Confirms the other email address with the code that was mailed to it.',
    callers: everyone,
    body: ConfirmAddressFields,
    status: 200,
    reply: NotificationSettings,
    problems: ['notification_address_not_pending'],
    fieldProblems: ['notification_code_wrong', 'notification_code_ended'],
  }),
  sendCode: route({
    method: 'POST',
    path: '/secure-api/notifications/settings/send_code/',
    summary: 'Mails another code to the email address that is not confirmed yet.',
    callers: everyone,
    status: 204,
    problems: [
      'notification_address_not_pending',
      'notification_channel_unavailable',
      'notification_codes_too_many',
    ],
  }),
};
