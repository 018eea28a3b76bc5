/** Snoozes: for a while a user, or every user, gets no notification of a camera or of what a rule raises. The alerts stay. */
import { z } from 'zod/mini';
import { AlertKind } from './alerts.ts';
import { Id, Instant, Timestamp, results } from './fields.ts';
import { everyone, route } from './route.ts';

/** A snooze ends by itself, after this at the latest. */
export const longestSnoozeHours = 24;
/** Each user may have so many, and so many may hold for everyone. */
export const maxSnoozes = 100;

export const Snooze = z.object({
  id: Id,
  /** Null: it is about a rule. */
  camera: z.nullable(Id),
  camera_name: z.nullable(z.string()),
  /** Null: it is about a camera. */
  rule: z.nullable(Id),
  rule_kind: z.nullable(AlertKind),
  until: Timestamp,
  /** No user is notified; else the caller is not. */
  for_everyone: z.boolean(),
  /** Null: the account is gone. */
  created_by_name: z.nullable(z.string()),
  /** Whether the caller may end it. */
  may_end: z.boolean(),
});
export type Snooze = z.infer<typeof Snooze>;

export const SnoozeFields = z
  .object({
    camera: z._default(z.nullable(Id), null),
    rule: z._default(z.nullable(Id), null),
    until: Instant,
    for_everyone: z._default(z.boolean(), false),
  })
  .check(
    z.refine(({ camera, rule }) => (camera === null) !== (rule === null), { path: ['camera'] }),
  );
export type SnoozeFields = z.infer<typeof SnoozeFields>;

const one = z.object({ id: Id });

export const snoozeRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/notifications/snoozes/',
    summary: 'What is snoozed for the caller, and for everyone; the first to end first.',
    callers: everyone,
    reply: results(Snooze),
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/notifications/snoozes/',
    summary:
      'Snoozes a camera or a rule, or gives its snooze another end. For everyone: administrators.',
    callers: everyone,
    body: SnoozeFields,
    reply: Snooze,
    status: 201,
    problems: ['forbidden', 'snoozes_too_many'],
    fieldProblems: ['camera_not_found', 'alert_rule_not_found', 'snooze_end'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/notifications/snoozes/:id/',
    summary: 'Ends a snooze. Of everyone: administrators.',
    callers: everyone,
    params: one,
    status: 204,
    problems: ['snooze_not_found', 'forbidden'],
  }),
};
