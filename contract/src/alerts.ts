/** Alerts: what rules found in visits, cameras and warnings, and what users did about it. */
import { z } from 'zod/mini';
import {
  DateOrInstant,
  Id,
  Timestamp,
  logPeriod,
  page,
  published,
  queryFlag,
  queryInteger,
  text,
  timezone,
} from './fields.ts';
import { everyone, route } from './route.ts';

/** From the least to the most important. */
export const alertLevels = ['info', 'warning', 'error', 'critical'] as const;
export const AlertLevel = z.enum(alertLevels);
export type AlertLevel = z.infer<typeof AlertLevel>;

export const alertStatuses = ['new', 'in_progress', 'resolved', 'dismissed'] as const;
export const AlertStatus = z.enum(alertStatuses);
export type AlertStatus = z.infer<typeof AlertStatus>;

/** What a rule is about. Each has its sentences in `server.json` (`alert.<kind>`). */
export const alertKinds = [
  'unknown_person',
  'returning_stranger',
  'watched_person',
  'known_person',
  'camera_down',
  'camera_picture',
  'storage_low',
  'recorder_failed',
  'system_warning',
] as const;
export const AlertKind = z.enum(alertKinds);
export type AlertKind = z.infer<typeof AlertKind>;

/** The statuses that an alert may get from each. */
export const nextStatuses: Readonly<Record<AlertStatus, readonly AlertStatus[]>> = {
  new: ['in_progress', 'resolved', 'dismissed'],
  in_progress: ['resolved'],
  resolved: [],
  dismissed: [],
};

export const Alert = z.object({
  id: Id,
  kind: AlertKind,
  level: AlertLevel,
  status: AlertStatus,
  /** One line, in the reader's language: "3 unknown people at Entrance". */
  title: z.string(),
  /** A sentence more, in the reader's language. */
  message: z.string(),
  created_at: Timestamp,
  /** The last visit, or the last time the cause was reported. */
  last_at: Timestamp,
  /** When it was over by itself; null: it goes on, or its end is not known yet. */
  ended_at: z.nullable(Timestamp),
  /** Visits, or repetitions of the cause, since it began. */
  count: z.int(),
  /** How many different people; null where it is about no person. */
  people: z.nullable(z.int()),
  /** Null: it is about no camera, or the camera is gone. */
  camera: z.nullable(Id),
  camera_name: z.nullable(z.string()),
  /** The person of the newest visit as the reader may know them today; null: about no person. */
  face_name: z.nullable(z.string()),
  /** The newest visit; null: there is none, or it is gone. */
  visit: z.nullable(Id),
  /** Its picture, as in `Detection`. */
  image: z.nullable(z.string()),
  picture_hidden: z.boolean(),
  assigned_to: z.nullable(Id),
  assigned_to_name: z.nullable(z.string()),
  resolved_by: z.nullable(Id),
  resolved_by_name: z.nullable(z.string()),
  resolved_at: z.nullable(Timestamp),
  resolution_notes: z.string(),
  /** Null: the server, by a rule. */
  created_by: z.nullable(Id),
  rule: z.nullable(Id),
});
export type Alert = z.infer<typeof Alert>;

/** One visit of an alert, as the reader may know it. */
export const AlertVisit = z.object({
  id: Id,
  image: z.nullable(z.string()),
  picture_hidden: z.boolean(),
  face_name: z.string(),
  timestamp: Timestamp,
});

/** One step of what became of an alert. */
export const AlertStep = z.object({
  kind: z.enum(['raised', 'assigned', 'resolved', 'dismissed', 'over']),
  at: Timestamp,
  /** Null: the server, or an account that is gone. */
  by: z.nullable(z.string()),
  /** Whom it was assigned to. */
  to: z.nullable(z.string()),
});
export type AlertStep = z.infer<typeof AlertStep>;

/** The latest visits of an alert, the newest first, and its history, the oldest first. */
export const AlertDetails = z.extend(Alert, {
  visits: z.array(AlertVisit),
  history: z.array(AlertStep),
});
export type AlertDetails = z.infer<typeof AlertDetails>;

export const maxAlertVisits = 24;

const uuid = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** More than a page of cameras shows; a caller who means all cameras leaves it out. */
const maxCameras = 500;
const cameraIds = z
  .pipe(
    z.pipe(
      z.string().check(z.maxLength(maxCameras * 37)),
      z.transform((ids) => ids.split(',')),
    ),
    z.array(Id).check(z.minLength(1), z.maxLength(maxCameras)),
  )
  .register(published, {
    type: 'string',
    pattern: `^${uuid}(?:,${uuid}){0,${maxCameras - 1}}$`,
  });

export const alertOrders = [
  '-created_at',
  'created_at',
  '-last_at',
  'last_at',
  '-level',
  'level',
] as const;

export const AlertQuery = z
  .object({
    status: z.optional(AlertStatus),
    level: z.optional(AlertLevel),
    kind: z.optional(AlertKind),
    camera__in: z.optional(cameraIds),
    /** Only those that are new or in progress, or only the others. */
    open: z.optional(queryFlag),
    /** Only those that are assigned to the reader, or only the others. */
    mine: z.optional(queryFlag),
    start_date: z.optional(DateOrInstant),
    end_date: z.optional(DateOrInstant),
    timezone,
    ordering: z._default(z.enum(alertOrders), '-created_at'),
    page: queryInteger(1, 1_000_000, 1),
    page_size: queryInteger(1, 200, 25),
  })
  .check(...logPeriod);
export type AlertQuery = z.infer<typeof AlertQuery>;

/** `more`: there are more than `count`, which was not counted further. */
export const AlertPage = z.extend(page(Alert), { more: z.optional(z.literal(true)) });
export type AlertPage = z.infer<typeof AlertPage>;

/** The open alerts that the reader may see. */
export const AlertCounts = z.object({
  new: z.int(),
  in_progress: z.int(),
  by_level: z.object({ info: z.int(), warning: z.int(), error: z.int(), critical: z.int() }),
});
export type AlertCounts = z.infer<typeof AlertCounts>;

/** Changing it to `in_progress` assigns it to the caller. */
export const AlertStatusFields = z.object({
  status: z.enum(['in_progress', 'resolved', 'dismissed']),
  resolution_notes: z.optional(text(2000)),
});
export type AlertStatusFields = z.infer<typeof AlertStatusFields>;

const one = z.object({ id: Id });

export const alertRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/alerts/',
    summary: 'Alerts of the cameras one may see; administrators also those about no camera.',
    callers: everyone,
    keyScope: 'alerts:read',
    query: AlertQuery,
    reply: AlertPage,
    fieldProblems: ['time_zone_unknown', 'page_too_late'],
  }),
  counts: route({
    method: 'GET',
    path: '/secure-api/alerts/counts/',
    summary: 'How many alerts are new and in progress, and how many of both are of each level.',
    callers: everyone,
    keyScope: 'alerts:read',
    reply: AlertCounts,
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/alerts/:id/',
    summary: 'An alert with its latest visits and its history.',
    callers: everyone,
    keyScope: 'alerts:read',
    params: one,
    reply: AlertDetails,
    problems: ['alert_not_found'],
  }),
  updateStatus: route({
    method: 'PATCH',
    path: '/secure-api/alerts/:id/update_status/',
    summary: 'Takes, resolves or dismisses an alert.',
    callers: everyone,
    keyScope: 'alerts:write',
    params: one,
    body: AlertStatusFields,
    reply: Alert,
    problems: ['alert_not_found', 'alert_status_changed'],
  }),
  assign: route({
    method: 'POST',
    path: '/secure-api/alerts/:id/assign/',
    summary: 'Assigns an open alert: to oneself; to any user who may see it, for administrators.',
    callers: everyone,
    keyScope: 'alerts:write',
    params: one,
    body: z.object({ user_id: Id }),
    status: 200,
    reply: Alert,
    problems: ['alert_not_found', 'alert_status_changed', 'forbidden'],
    fieldProblems: ['alert_assignee_unknown'],
  }),
};
