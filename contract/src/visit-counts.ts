/** Counts of visits, for the panels of the log dashboard: always of what the caller may see, in days of the caller. */
import { z } from 'zod/mini';
import {
  DateOrInstant,
  Id,
  Timestamp,
  atMostAYear,
  page,
  queryFlag,
  queryInteger,
  results,
  searchText,
  timezone,
} from './fields.ts';
import { everyone, route, type Route } from './route.ts';
import { Visit } from './visits.ts';

/** A date means its whole day. Without dates: the last 7 days, today included. */
const period = {
  start_date: z.optional(DateOrInstant),
  end_date: z.optional(DateOrInstant),
  timezone,
};
const aYear = atMostAYear('start_date', 'end_date');

const filters = {
  ...period,
  camera_id: z.optional(Id),
  person_id: z.optional(Id),
  /** Only names that the caller may read; `Unknown` means all people without one, `Erased person` all erased ones. */
  person_name: z.optional(searchText(300)),
  /** For administrators: what this user may see. It changes nothing for others. */
  user: z.optional(Id),
};

export const CountQuery = z.object(filters).check(aYear);
export type CountQuery = z.infer<typeof CountQuery>;

export const countKeys = ['hour', 'day', 'weekday_hour', 'person', 'camera', 'kind'] as const;

const GroupedQuery = z
  .object({
    ...filters,
    by: z.enum(countKeys),
    is_recognized: z.optional(queryFlag),
  })
  .check(aYear);
export type GroupedQuery = z.infer<typeof GroupedQuery>;

const total = { total: z.int(), recognized: z.int(), unrecognized: z.int() };

/**
 * What is counted under one key: the start of an hour, a date, `1-0` (Monday, midnight) to `7-23`, the id of a person
 * or a camera, `unknown`, `hidden` (people whom the caller may not name), `erased` (people who were erased; their visits
 * stay recognized), `recognized`.
 */
const GroupedCount = z.object({ key: z.string(), name: z.string(), ...total });
export const GroupedCounts = z.object({ ...total, results: z.array(GroupedCount) });
export type GroupedCounts = z.infer<typeof GroupedCounts>;

export const RecognitionStats = z.object({
  ...total,
  /** Per cent; null while there is nothing to divide. */
  success_rate: z.nullable(z.number()),
});
export type RecognitionStats = z.infer<typeof RecognitionStats>;

/** Two people of one name are two. */
export const PersonStats = z.object({
  person_name: z.string(),
  /** Null: all people without a name, who were erased, or whom the caller may not name or open. */
  person_id: z.nullable(Id),
  /** By which `person_id` these visits are asked for; of one person alone, who may not be one to open. */
  key: z.nullable(Id),
  total_detections: z.int(),
  recognized_count: z.int(),
  unrecognized_count: z.int(),
  first_seen: z.nullable(Timestamp),
  last_seen: z.nullable(Timestamp),
  /** How many cameras saw them; null for unknown people. */
  cameras: z.nullable(z.int()),
});
export type PersonStats = z.infer<typeof PersonStats>;

export const SeenPeopleQuery = z
  .object({
    ...filters,
    /** A part of a name that the caller may read. */
    search: z.optional(searchText(150)),
    page: queryInteger(1, 1_000_000, 1),
    limit: queryInteger(1, 100, 50),
  })
  .check(aYear);
export type SeenPeopleQuery = z.infer<typeof SeenPeopleQuery>;

/** By the keys of `GroupedCount`: people whom the caller may not name are one, and erased people are one. */
export const SeenPerson = z.object({ key: z.string(), name: z.string(), visits: z.int() });
export type SeenPerson = z.infer<typeof SeenPerson>;

/** `most`: the visits of who came most, searched for or not. */
export const SeenPeople = z.extend(page(SeenPerson), { most: z.int() });
export type SeenPeople = z.infer<typeof SeenPeople>;

const cameraStats = {
  camera_id: Id,
  camera_name: z.string(),
  total_detections: z.int(),
  recognized_count: z.int(),
  unrecognized_count: z.int(),
};
export const CameraStats = z.object(cameraStats);
export type CameraStats = z.infer<typeof CameraStats>;

export const CameraDetails = z.object({
  ...cameraStats,
  first_detection: z.nullable(Timestamp),
  last_detection: z.nullable(Timestamp),
  /** Known people, erased ones too. */
  /** Null for readers who may not name every person at this camera. */
  unique_persons: z.nullable(z.int()),
  /** The newest five. */
  recent_logs: z.array(Visit),
});
export type CameraDetails = z.infer<typeof CameraDetails>;

export const DailyVisits = z.object({
  /** The date and whose: the id of a person, `unknown`, `hidden` or `erased`. */
  id: z.string(),
  date: z.iso.date(),
  person_name: z.string(),
  person_id: z.nullable(Id),
  detection_count: z.int(),
  recognized_count: z.int(),
  unrecognized_count: z.int(),
  first_seen: Timestamp,
  last_seen: Timestamp,
});
export type DailyVisits = z.infer<typeof DailyVisits>;

/** `more`: there are more than `count`, which was not counted further; the newest are counted first. */
export const DailyVisitsPage = z.extend(page(DailyVisits), { more: z.optional(z.literal(true)) });
export type DailyVisitsPage = z.infer<typeof DailyVisitsPage>;

export const DailyQuery = z
  .object({
    ...filters,
    page: queryInteger(1, 1_000_000, 1),
    limit: queryInteger(1, 1000, 1000),
  })
  .check(aYear);
export type DailyQuery = z.infer<typeof DailyQuery>;

const root = '/secure-api/activity-log/';

const read = {
  method: 'GET',
  callers: everyone,
  keyScope: 'logs:read',
  shownAs: true,
} as const satisfies Partial<Route>;
const ofPeriods = {
  problems: ['user_not_found'],
  fieldProblems: ['time_zone_unknown', 'period_reversed', 'period_too_long'],
} as const satisfies Partial<Route>;

const grouped = route({
  ...read,
  ...ofPeriods,
  path: `${root}face-logs/counts/`,
  summary: 'Visits counted by hour, day, hour of the week, person, camera or kind.',
  query: GroupedQuery,
  reply: GroupedCounts,
});
const stats = route({
  ...read,
  ...ofPeriods,
  path: `${root}activity-logs/face-recognition-stats/`,
  alsoAt: [`${root}face-logs/stats/`, `${root}face-recognition/stats/`],
  summary: 'How many visits there were, and how many of known people.',
  query: CountQuery,
  reply: RecognitionStats,
});
const byPerson = route({
  ...read,
  ...ofPeriods,
  path: `${root}face-logs/by-person/`,
  alsoAt: [
    `${root}face-logs/stats/by-person-confidence/`,
    `${root}face-recognition/stats/by-person/`,
  ],
  summary: 'Visits by person, most first; everybody unknown is one row.',
  query: CountQuery,
  reply: results(PersonStats),
});
const people = route({
  ...read,
  problems: ofPeriods.problems,
  fieldProblems: [...ofPeriods.fieldProblems, 'page_too_late'],
  path: `${root}face-logs/people/`,
  summary: 'Known people who were seen, most visits first, found by a part of their name.',
  query: SeenPeopleQuery,
  reply: SeenPeople,
});
const byCamera = route({
  ...read,
  ...ofPeriods,
  path: `${root}face-logs/by-date/`,
  alsoAt: [`${root}face-recognition/stats/by-date/`],
  summary: 'Visits by camera.',
  query: CountQuery,
  reply: z.array(CameraStats),
});
const cameraDetails = route({
  ...read,
  path: `${root}face-logs/camera-details/`,
  summary: 'Visits at one camera: how many, the first, the last, the newest.',
  query: z.object({ ...period, camera_id: Id, user: filters.user }).check(aYear),
  reply: CameraDetails,
  problems: ['camera_not_found', 'user_not_found'],
  fieldProblems: ofPeriods.fieldProblems,
});
const daily = route({
  ...read,
  problems: ofPeriods.problems,
  fieldProblems: [...ofPeriods.fieldProblems, 'page_too_late'],
  path: `${root}daily-face-logs/by-date-range/`,
  alsoAt: [
    `${root}activity-logs/daily-face-logs/by-date-range/`,
    `${root}daily-face-logs/`,
    `${root}daily-face-logs/by-person/`,
    `${root}face-recognition/daily-logs/`,
    `${root}face-recognition/daily-stats/by-person/`,
    `${root}face-recognition/daily-stats/by-date/`,
  ],
  summary: 'Visits by day and person, newest first, at most 1000 rows at once.',
  query: DailyQuery,
  reply: DailyVisitsPage,
});

export const visitCountRoutes = {
  grouped,
  stats,
  people,
  byPerson,
  byCamera,
  cameraDetails,
  daily,
};
