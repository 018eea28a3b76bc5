/** The system log: what the server, its processes and browsers said of their work. */
import { z } from 'zod/mini';
import { Deletion, maxDeleted } from './visit-deletion.ts';
import {
  DateOrInstant,
  Id,
  Timestamp,
  logPeriod,
  queryInteger,
  requiredText,
  text,
  Instant,
} from './fields.ts';
import { administrators, cameraAdministrators, everyone, route } from './route.ts';

export const systemLogLevels = ['error', 'warning', 'info', 'debug'] as const;
export type SystemLogLevel = (typeof systemLogLevels)[number];

export const SystemLogEntry = z.object({
  id: Id,
  level: z.enum(systemLogLevels),
  /** May be '': the screen says so. */
  message: z.string(),
  /** A part of the server, a kind of process, or `browser`. */
  source: z.string(),
  /** Whose request or browser it was; null: the system's own work. */
  user: z.nullable(Id),
  /** '' without a user, and once the account is gone. */
  user_name: z.string(),
  timestamp: Timestamp,
  /** How often the same was said within a minute, and when last. */
  repeats: z.int(),
  last_at: Timestamp,
  /** For users who are no administrators only what their own browser reported. */
  details: z.record(z.string(), z.unknown()),
});
export type SystemLogEntry = z.infer<typeof SystemLogEntry>;

const filters = {
  level: z.optional(z.enum(systemLogLevels)),
  source: z.optional(text(40)),
  search: z.optional(text(150)),
  /** Only applies to administrators; all other users read their own entries, whatever it says. */
  user: z.optional(Id),
  start_date: z.optional(DateOrInstant),
  end_date: z.optional(DateOrInstant),
};

const SystemLogFilter = z.object(filters).check(...logPeriod);
export type SystemLogFilter = z.infer<typeof SystemLogFilter>;

export const SystemLogQuery = z
  .object({
    ...filters,
    page: queryInteger(1, 1_000_000, 1),
    page_size: queryInteger(1, 1000, 20),
  })
  .check(...logPeriod);
export type SystemLogQuery = z.infer<typeof SystemLogQuery>;

const ofStats = {
  user: filters.user,
  start_date: filters.start_date,
  end_date: filters.end_date,
};
const StatsQuery = z.object({ ...ofStats, search: filters.search }).check(...logPeriod);
export type SystemLogStatsQuery = z.infer<typeof StatsQuery>;

/** How many entries a source has of each level. */
export const SystemLogCount = z.object({
  source: z.string(),
  error: z.int(),
  warning: z.int(),
  info: z.int(),
  debug: z.int(),
});
export type SystemLogCount = z.infer<typeof SystemLogCount>;

/** How many entries there are of a level. */
export const SystemLogLevelCount = z.object({ name: z.enum(systemLogLevels), value: z.int() });

/** From which level on the lines of a source are kept. */
export const SystemLogSource = z.object({
  source: z.string(),
  level: z.enum(systemLogLevels),
  /** When debug ends by itself, and info is kept again; null with every other level. */
  debug_until: z.nullable(Timestamp),
});
export type SystemLogSource = z.infer<typeof SystemLogSource>;

const ofIds = z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(maxDeleted)) });
/** As with visits: a batch per call, `as_of` of the first sent with the others. */
const ofFilter = z.strictObject({
  filter: SystemLogFilter,
  as_of: z.optional(Instant),
  count_only: z._default(z.boolean(), false),
});
export const SystemLogDeletion = z.union([ofIds, ofFilter]);
export type SystemLogDeletion = z.infer<typeof SystemLogDeletion>;

export const BrowserError = z.object({
  /** What happened: an exception, an unhandled rejection, a page that failed to render, data that failed to load. */
  kind: z.enum(['exception', 'rejection', 'render', 'load']),
  message: requiredText(500),
  stack: z._default(text(3000), ''),
  /** The path of the page; its query, which may hold what the user searched for, is cut off. */
  page: z._default(text(300), ''),
});
export type BrowserError = z.infer<typeof BrowserError>;

const params = z.object({ id: Id });
const root = '/secure-api/activity-log/system-logs/';

export const systemLogRoutes = {
  list: route({
    method: 'GET',
    path: root,
    summary: "The system log, newest first: all entries for administrators, else the caller's own.",
    callers: everyone,
    query: SystemLogQuery,
    /** `count` goes up to 10,000; `more` says that there are more. */
    reply: z.object({ count: z.int(), more: z.boolean(), results: z.array(SystemLogEntry) }),
    fieldProblems: ['page_too_late'],
  }),
  stats: route({
    method: 'GET',
    path: `${root}stats/`,
    summary: 'How many entries of the system log there are, by source and level.',
    callers: everyone,
    query: StatsQuery,
    reply: z.array(SystemLogCount),
  }),
  countByLevel: route({
    method: 'GET',
    path: '/secure-api/activity-log/stats/log-count-by-level/',
    summary: 'How many entries of the system log there are of each level.',
    callers: everyone,
    query: StatsQuery,
    reply: z.array(SystemLogLevelCount),
  }),
  removeMany: route({
    method: 'POST',
    path: `${root}bulk-delete/`,
    summary: 'Takes entries out of the system log: these, or a batch of all that match a filter.',
    callers: everyone,
    body: SystemLogDeletion,
    reply: Deletion,
  }),
  sources: route({
    method: 'GET',
    path: `${root}sources/`,
    summary: 'The sources of the system log, and from which level on the lines of each are kept.',
    callers: administrators,
    reply: z.object({ results: z.array(SystemLogSource) }),
  }),
  chooseLevel: route({
    method: 'PATCH',
    path: `${root}sources/`,
    summary: 'Keeps the lines of a source from this level on; debug for an hour.',
    callers: cameraAdministrators,
    body: z.object({ source: requiredText(40), level: z.enum(systemLogLevels) }),
    reply: SystemLogSource,
    problems: ['log_source_not_found'],
  }),
  read: route({
    method: 'GET',
    path: `${root}:id/`,
    summary: 'One entry of the system log.',
    callers: everyone,
    params,
    reply: SystemLogEntry,
    problems: ['system_log_not_found'],
  }),
  neighbours: route({
    method: 'GET',
    path: `${root}:id/neighbours/`,
    summary: 'What was said just before and after an entry, whatever its source, newest first.',
    callers: everyone,
    params,
    query: z.object({ count: queryInteger(1, 50, 10) }),
    reply: z.object({ before: z.array(SystemLogEntry), after: z.array(SystemLogEntry) }),
    problems: ['system_log_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${root}:id/`,
    summary: 'Takes one entry out of the system log.',
    callers: everyone,
    params,
    status: 204,
    problems: ['system_log_not_found'],
  }),
  reportBrowserError: route({
    method: 'POST',
    path: '/secure-api/system/browser-errors/',
    summary: 'Tells the system log of an error in the browser; answers the id of its entry.',
    callers: everyone,
    body: BrowserError,
    reply: z.object({ id: Id }),
    status: 201,
  }),
};
