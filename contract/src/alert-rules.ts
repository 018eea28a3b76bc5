/** What raises alerts: a rule is about something, counts at some places and times, and gives its alerts a level. */
import { z } from 'zod/mini';
import { AlertKind, AlertLevel } from './alerts.ts';
import { Id, results } from './fields.ts';
import { watchfulModes } from './house-mode.ts';
import { administrators, route } from './route.ts';
import { WeekSchedule } from './week-schedule.ts';

/** Kinds about people: their alerts end after a quiet time. */
export const kindsOfPeople: readonly AlertKind[] = [
  'unknown_person',
  'returning_stranger',
  'watched_person',
  'known_person',
];
/** Kinds about enrolled people: recognition is more or less sure of them, and they have categories. */
export const kindsOfEnrolled: readonly AlertKind[] = ['watched_person', 'known_person'];
/** Kinds whose rules may name cameras. */
export const kindsOfCameras: readonly AlertKind[] = [
  ...kindsOfPeople,
  'camera_down',
  'camera_picture',
];

export const maxQuietMinutes = 24 * 60;
/** The first visit is no return; beyond the last nothing is counted. */
export const [leastVisits, mostVisits] = [2, 100];
export const usualVisits = 3;
export const maxAlertRules = 500;

export const AlertRule = z.object({
  id: Id,
  kind: AlertKind,
  level: AlertLevel,
  is_enabled: z.boolean(),
  /** Null: all cameras, those added later, too. Always null where the kind is about no camera. */
  cameras: z.nullable(z.array(Id)),
  /** Groups whose cameras count beside `cameras`, as they are when something happens; empty where that is null. */
  camera_groups: z.array(Id),
  /** `watched_person`: the categories that are watched for. `known_person`: those that raise nothing. Else empty. */
  categories: z.array(Id),
  /** At which times of a week it counts; null: at all times. Always null where the kind is not about people. */
  schedule: z.nullable(WeekSchedule),
  /** In which modes of the house it counts; both where the kind is not about people: these count when it is off, too. */
  modes: z.array(z.enum(watchfulModes)),
  /** `returning_stranger`: from which visit of the same unknown person at a camera on. Else as it begins. */
  visits: z.int(),
  /** How sure recognition is at least, in percent, where the kind is about enrolled people; else 0. */
  confidence_percent: z.int(),
  /** An alert about people is over when none of them was seen for so long. */
  quiet_minutes: z.int(),
});
export type AlertRule = z.infer<typeof AlertRule>;

const Cameras = z.nullable(z.array(Id).check(z.maxLength(1000)));
const CameraGroups = z.array(Id).check(z.maxLength(100));
const Categories = z.array(Id).check(z.maxLength(100));
const Modes = z.array(z.enum(watchfulModes)).check(z.minLength(1), z.maxLength(2));
const Visits = z.int().check(z.gte(leastVisits), z.lte(mostVisits));
const ConfidencePercent = z.int().check(z.gte(0), z.lte(100));
const QuietMinutes = z.int().check(z.gte(1), z.lte(maxQuietMinutes));

export const AlertRuleFields = z.object({
  kind: AlertKind,
  level: AlertLevel,
  is_enabled: z._default(z.boolean(), true),
  cameras: z._default(Cameras, null),
  camera_groups: z._default(CameraGroups, []),
  categories: z._default(Categories, []),
  schedule: z._default(z.nullable(WeekSchedule), null),
  modes: z._default(Modes, [...watchfulModes]),
  visits: z._default(Visits, usualVisits),
  confidence_percent: z._default(ConfidencePercent, 0),
  quiet_minutes: z._default(QuietMinutes, 10),
});
export type AlertRuleFields = z.infer<typeof AlertRuleFields>;

export const AlertRuleChange = z.object({
  level: z.optional(AlertLevel),
  is_enabled: z.optional(z.boolean()),
  cameras: z.optional(Cameras),
  camera_groups: z.optional(CameraGroups),
  categories: z.optional(Categories),
  schedule: z.optional(z.nullable(WeekSchedule)),
  modes: z.optional(Modes),
  visits: z.optional(Visits),
  confidence_percent: z.optional(ConfidencePercent),
  quiet_minutes: z.optional(QuietMinutes),
});
export type AlertRuleChange = z.infer<typeof AlertRuleChange>;

const one = z.object({ id: Id });

export const alertRuleRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/alerts/rules/',
    summary: 'The rules that raise alerts.',
    callers: administrators,
    reply: results(AlertRule),
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/alerts/rules/',
    summary: 'Adds a rule.',
    callers: administrators,
    body: AlertRuleFields,
    reply: AlertRule,
    status: 201,
    problems: ['alert_rules_too_many'],
    fieldProblems: [
      'camera_not_found',
      'group_not_found',
      'category_not_found',
      'alert_rule_categories',
    ],
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/alerts/rules/:id/',
    summary: 'Changes a rule: alerts that it has raised stay as they are.',
    callers: administrators,
    params: one,
    body: AlertRuleChange,
    reply: AlertRule,
    problems: ['alert_rule_not_found'],
    fieldProblems: [
      'camera_not_found',
      'group_not_found',
      'category_not_found',
      'alert_rule_categories',
    ],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/alerts/rules/:id/',
    summary: 'Deletes a rule: alerts that it has raised stay, and are over.',
    callers: administrators,
    params: one,
    status: 204,
    problems: ['alert_rule_not_found'],
  }),
};
