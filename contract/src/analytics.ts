/** Counts over what one may see. */
import { z } from 'zod/mini';
import { ActivityStatsQuery } from './activity.ts';
import { timezone, Timestamp } from './fields.ts';
import { everyone, route } from './route.ts';

/** A rate is null while there is nothing to divide, never an invented figure. */
export const Summary = z.object({
  face_stats: z.object({
    total: z.int(),
    known: z.int(),
    /** Counted up to 10,000. */
    unknown: z.int(),
    /** There are more unknown people than were counted. */
    unknown_more: z.boolean(),
    /** Faces added in the last 7 days less those of the 7 days before; null without earlier data. */
    trend: z.nullable(z.number()),
  }),
  camera_stats: z.object({
    total: z.int(),
    active: z.int(),
    inactive: z.int(),
    maintenance: z.int(),
    error: z.int(),
    /** The active cameras whose video arrives right now. */
    live: z.int(),
  }),
  recognition_rate: z.object({
    /** Per cent of the last 7 days' visits. */
    rate: z.nullable(z.number()),
    /** Percentage points against the 7 days before. */
    trend: z.nullable(z.number()),
  }),
  traffic_flow: z.array(z.object({ timestamp: Timestamp, count: z.int() })),
});
export type Summary = z.infer<typeof Summary>;

/** The three logs of the log dashboard. */
export const logKinds = ['activity', 'system', 'face_recognition'] as const;

export const LogKindCount = z.object({ name: z.enum(logKinds), value: z.int() });
export type LogKindCount = z.infer<typeof LogKindCount>;

export const analyticsRoutes = {
  summary: route({
    method: 'GET',
    path: '/secure-api/analytics/summary/',
    summary:
      'The figures of the dashboard, the last 24 hours as clocks of the time zone count them.',
    callers: everyone,
    keyScope: 'analytics:read',
    shownAs: true,
    query: z.object({ timezone }),
    fieldProblems: ['time_zone_unknown'],
    reply: Summary,
  }),
  /** Keyword and content type narrow the activity log alone: the other logs have none. */
  logKinds: route({
    method: 'GET',
    path: '/secure-api/activity-log/stats/log-count-by-type/',
    summary: 'How many entries each log has: activity log, system log, face recognition log.',
    callers: everyone,
    query: ActivityStatsQuery,
    reply: z.array(LogKindCount),
    problems: ['user_not_found'],
  }),
};
