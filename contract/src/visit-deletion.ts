/** Taking visits out of the logs: administrators any, others those at cameras they added. They are marked, not erased. */
import { z } from 'zod/mini';
import {
  DateOrInstant,
  Id,
  Instant,
  Timestamp,
  logPeriod,
  requiredText,
  searchText,
  timezone,
} from './fields.ts';
import { everyone, route } from './route.ts';
import { VisitKind } from './visits.ts';

const filter = z
  .object({
    start_date: z.optional(DateOrInstant),
    end_date: z.optional(DateOrInstant),
    timezone,
    camera_id: z.optional(Id),
    person_id: z.optional(Id),
    person_name: z.optional(searchText(300)),
    is_recognized: z.optional(z.boolean()),
    kind: z.optional(VisitKind),
  })
  .check(...logPeriod);

/** Visits at most that one call deletes: repeat it until none is left. */
export const maxDeleted = 1000;

const ofIds = z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(maxDeleted)) });
/**
 * All visits that match, a batch per call. `as_of` is answered by the first call and sent with the others, so that visits
 * that come meanwhile stay; `count_only` says how many there are and deletes none.
 */
const ofFilter = z.strictObject({
  filter,
  as_of: z.optional(Instant),
  count_only: z._default(z.boolean(), false),
});
export const VisitDeletion = z.union([ofIds, ofFilter]);
export type VisitDeletion = z.infer<typeof VisitDeletion>;

/** The id of a row of the daily logs: a date, and a person, `unknown`, `hidden` or `erased`. */
const DailyId = requiredText(64);

export const DailyDeletion = z.object({
  ids: z.array(DailyId).check(z.minLength(1), z.maxLength(maxDeleted)),
  timezone,
});
export type DailyDeletion = z.infer<typeof DailyDeletion>;

/** `left`: how many of what was asked for are not deleted yet; `more`: that many were counted, and there are more. */
export const Deletion = z.object({
  deleted: z.int(),
  left: z.int(),
  more: z.optional(z.literal(true)),
  as_of: Timestamp,
});
export type Deletion = z.infer<typeof Deletion>;

const logs = '/secure-api/activity-log/face-logs/';
const daily = '/secure-api/activity-log/daily-face-logs/';

export const visitDeletionRoutes = {
  removeMany: route({
    method: 'POST',
    path: `${logs}bulk-delete/`,
    summary: 'Takes visits out of the logs: these, or a batch of all that match a filter.',
    callers: everyone,
    body: VisitDeletion,
    reply: Deletion,
    fieldProblems: ['time_zone_unknown'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${logs}:id/`,
    summary: 'Takes a visit out of the logs.',
    callers: everyone,
    params: z.object({ id: Id }),
    status: 204,
    problems: ['sighting_not_found'],
  }),
  removeManyDays: route({
    method: 'POST',
    path: `${daily}bulk-delete/`,
    summary: 'Takes the visits of these people on these days out of the logs, a batch per call.',
    callers: everyone,
    body: DailyDeletion,
    reply: Deletion,
    problems: ['sighting_not_found'],
    fieldProblems: ['time_zone_unknown'],
  }),
  removeDay: route({
    method: 'DELETE',
    path: `${daily}:id/`,
    summary: 'Takes the visits of a person on a day out of the logs.',
    callers: everyone,
    params: z.object({ id: DailyId }),
    query: z.object({ timezone }),
    status: 204,
    problems: ['sighting_not_found'],
    fieldProblems: ['time_zone_unknown'],
  }),
};
