/** The activity log: who did what, when and from where, as far as the reader may know. */
import { z } from 'zod/mini';
import {
  DateOrInstant,
  Id,
  Timestamp,
  logPeriod,
  maxChars,
  queryFlag,
  queryInteger,
  requiredText,
  results,
  searchText,
  text,
} from './fields.ts';
import { everyone, route } from './route.ts';

/** The documents' word for a deed; `event` says it exactly. */
export const activityKinds = [
  'create',
  'update',
  'delete',
  'view',
  'login',
  'logout',
  'export',
  'import',
  'search',
  'test',
] as const;
export const ActivityKind = z.enum(activityKinds);
export type ActivityKind = z.infer<typeof ActivityKind>;

/** Warning: a caller was refused. */
const activityLevels = ['info', 'warning'] as const;

/** What an entry of a client may be about. */
export const contentTypes = [
  'user',
  'camera',
  'face',
  'alert',
  'notification',
  'recording',
  'system',
] as const;

const AnyRecord = z.record(z.string(), z.unknown());

export const ActivityEntry = z.object({
  id: Id,
  action: ActivityKind,
  /** What was done to what, e.g. `camera.added`; entries that a client reported begin with `client.`. */
  event: z.string(),
  level: z.enum(activityLevels),
  /** One sentence in the reader's language; for an entry that a client reported, that client's own words. */
  description: z.string(),
  user: z.nullable(Id),
  /** '' if no user was signed in, and once the account is gone. */
  user_name: z.string(),
  user_email: z.string(),
  /** As the server saw it. */
  ip_address: z.string(),
  timestamp: Timestamp,
  content_type_name: z.string(),
  object_id: z.nullable(z.string()),
  /** As the reader may know it; '' where it has none, where they may not, and once a person is erased. */
  object_name: z.string(),
  /** Whether it is there and the reader may know of it: what is false here has no page. */
  object_exists: z.boolean(),
  additional_data: AnyRecord,
  /** What a client reported about its own network; the server does not trust it. */
  network: z.nullable(AnyRecord),
  source: z.enum(['request', 'console', 'client', 'system']),
  is_mock: z.boolean(),
  /** Its place in the chain that shows tampering; null until it is sealed, about a second later. */
  sequence: z.nullable(z.int()),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/** The filters that list, export and statistics share. */
const filters = {
  action: z.optional(ActivityKind),
  start_date: z.optional(DateOrInstant),
  end_date: z.optional(DateOrInstant),
  search: z.optional(searchText(150)),
  content_type: z.optional(text(40)),
  object_id: z.optional(text(100)),
  ip_address: z.optional(text(45)),
  /** Only applies to administrators; all other users read their own entries, whatever it says. */
  user: z.optional(Id),
  /** All but these: what a click on a value leaves out. */
  not_action: z.optional(ActivityKind),
  not_content_type: z.optional(text(40)),
  not_ip_address: z.optional(text(45)),
  not_user: z.optional(Id),
};
const sorting = {
  sort_by: z._default(z.enum(['user', 'action', 'ip', 'timestamp']), 'timestamp'),
  sort_direction: z._default(z.enum(['asc', 'desc']), 'desc'),
};

export const ActivityFilters = z.object(filters).check(...logPeriod);
export type ActivityFilters = z.infer<typeof ActivityFilters>;

export const ActivityQuery = z
  .object({
    ...filters,
    ...sorting,
    page: queryInteger(1, 1_000_000, 1),
    limit: queryInteger(1, 1000, 20),
  })
  .check(...logPeriod);
export type ActivityQuery = z.infer<typeof ActivityQuery>;

/** The same in a body, where figures are figures. */
const ActivityFilterBody = z
  .object({
    ...filters,
    ...sorting,
    page: z._default(z.int().check(z.gte(1), z.lte(1_000_000)), 1),
    limit: z._default(z.int().check(z.gte(1), z.lte(1000)), 20),
  })
  .check(...logPeriod);

/** Room for what a client adds to an entry of its own. */
const bounded = z
  .record(z.string().check(maxChars(100)), z.unknown())
  .check(z.refine((value) => JSON.stringify(value).length <= 4_000));

/** An entry that a client makes of itself. Whose it is, and from where, only the server says. */
export const ClientEntry = z.object({
  /** The client's own; sent again, the entry is there once. */
  id: z.optional(requiredText(64)),
  action: ActivityKind,
  description: z._default(text(1000), ''),
  content_type: z.optional(z.enum(contentTypes)),
  object_id: z.optional(z.union([Id, z.string().check(z.regex(/^\d{1,19}$/))])),
  /** When it happened, as the client says. */
  timestamp: z.optional(z.iso.datetime({ offset: true })),
  /** What the client takes for its address; kept apart from the one the server saw. */
  ip_address: z.optional(text(45)),
  additional_data: z.optional(bounded),
  network: z.optional(bounded),
});
export type ClientEntry = z.infer<typeof ClientEntry>;

/** `count` goes up to 10,000; `more` says that there are more, which are found by narrowing the filters. */
const EntryPage = z.object({
  count: z.int(),
  more: z.boolean(),
  results: z.array(ActivityEntry),
});

const Deleted = z.object({ deleted: z.int() });
const params = z.object({ id: Id });

/** Mock entries count only when asked for. */
export const ActivityStatsQuery = z
  .object({
    content_type: filters.content_type,
    search: filters.search,
    user: filters.user,
    start_date: filters.start_date,
    end_date: filters.end_date,
    include_mock: z._default(queryFlag, false),
  })
  .check(...logPeriod);
export type ActivityStatsQuery = z.infer<typeof ActivityStatsQuery>;

/** How many entries there are of an action. */
export const ActionCount = z.object({ name: z.string(), value: z.int() });

const root = '/secure-api/activity-log/activity-logs/';

export const activityRoutes = {
  list: route({
    method: 'GET',
    path: root,
    alsoAt: ['/secure-api/activity-log/activity-logs'],
    summary:
      "The activity log, newest first: all entries for administrators, else the caller's own.",
    callers: everyone,
    query: ActivityQuery,
    reply: EntryPage,
    fieldProblems: ['page_too_late'],
  }),
  filter: route({
    method: 'POST',
    path: `${root}filter/`,
    summary: 'The same, with the filters in the body.',
    callers: everyone,
    body: ActivityFilterBody,
    reply: EntryPage,
    fieldProblems: ['page_too_late'],
  }),
  export: route({
    method: 'GET',
    path: `${root}export/`,
    summary: 'The entries that match the filters as CSV, newest first.',
    callers: everyone,
    query: ActivityFilters,
    produces: 'text/csv',
  }),
  read: route({
    method: 'GET',
    path: `${root}:id/`,
    summary: 'One entry of the activity log.',
    callers: everyone,
    params,
    reply: ActivityEntry,
    problems: ['activity_not_found'],
  }),
  add: route({
    method: 'POST',
    path: root,
    summary: 'Adds an entry told by a client, marked as such.',
    callers: everyone,
    body: ClientEntry,
    reply: ActivityEntry,
    status: 201,
  }),
  sync: route({
    method: 'POST',
    path: `${root}sync/`,
    summary:
      'Adds the entries a client kept while it was offline, each once however often it is sent.',
    callers: everyone,
    body: z.object({
      logs: z.array(z.required(ClientEntry, { id: true })).check(z.minLength(1), z.maxLength(200)),
    }),
    reply: z.object({ accepted: z.array(z.string()), added: z.int() }),
  }),
  addMock: route({
    method: 'POST',
    path: `${root}create-mock/`,
    summary:
      'Adds entries to try the log with, marked as such; for administrators, or in development.',
    callers: everyone,
    body: z.object({
      /** Lower figures mean 1. */
      count: z._default(
        z.pipe(
          z.int().check(z.lte(1000)),
          z.transform((count) => Math.max(1, count)),
        ),
        50,
      ),
    }),
    reply: z.object({ created: z.int() }),
    status: 201,
  }),
  removeMany: route({
    method: 'POST',
    path: `${root}bulk-delete/`,
    summary: 'Takes entries out of the activity log; the chain behind it keeps them.',
    callers: everyone,
    body: z.object({ ids: z.array(Id).check(z.minLength(1), z.maxLength(1000)) }),
    reply: Deleted,
  }),
  removeAll: route({
    method: 'DELETE',
    path: `${root}delete-all/`,
    summary: 'Takes everything out of the activity log that the caller may: all, or their own.',
    callers: everyone,
    reply: Deleted,
  }),
  removeOfUser: route({
    method: 'DELETE',
    path: `${root}delete-by-user/:id/`,
    summary: 'Takes the entries of one user out of the activity log.',
    callers: everyone,
    params,
    reply: Deleted,
    problems: ['user_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${root}:id/`,
    summary: 'Takes one entry out of the activity log.',
    callers: everyone,
    params,
    status: 204,
    problems: ['activity_not_found'],
  }),
  countByAction: route({
    method: 'GET',
    path: '/secure-api/activity-log/stats/log-count-by-action/',
    summary: 'How many entries there are of each action.',
    callers: everyone,
    query: ActivityStatsQuery,
    reply: results(ActionCount),
  }),
};
