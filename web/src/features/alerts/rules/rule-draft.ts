/** A rule while it is edited: what is missing or wrong in it, and what of it is sent. Pure. */
import {
  leastVisits,
  maxQuietMinutes,
  mostVisits,
  usualVisits,
  type AlertRule,
} from '@nazar/contract/alert-rules.ts';
import type { AlertKind } from '@nazar/contract/alerts.ts';
import { watchfulModes } from '@nazar/contract/house-mode.ts';
import type { WeekFault } from '#parts/week/use-week.ts';
import { isOfCameras, isOfEnrolled, isOfPeople } from './rule-words.ts';

export const newRule: AlertRule = {
  id: '',
  kind: 'unknown_person',
  level: 'warning',
  is_enabled: true,
  cameras: null,
  camera_groups: [],
  categories: [],
  schedule: null,
  modes: [...watchfulModes],
  visits: usualVisits,
  confidence_percent: 0,
  quiet_minutes: 10,
};

export type RuleFault =
  | 'alertRules.noCameraChosen'
  | 'alertRules.noCategoryChosen'
  | 'alertRules.noModeChosen'
  | 'alertRules.checkTimes'
  | 'alertRules.visitsRange'
  | 'alertRules.confidenceRange'
  | 'alertRules.quietRange';

/** Numbers as they are typed. */
export interface TypedNumbers {
  readonly visits: string;
  readonly confidence: string;
  readonly quiet: string;
}

export const typedOf = (rule: AlertRule): TypedNumbers => ({
  visits: String(rule.visits),
  confidence: String(rule.confidence_percent),
  quiet: String(rule.quiet_minutes),
});

/** What is typed beside the draft. */
export interface Typed {
  readonly numbers: TypedNumbers;
  readonly weekFault: WeekFault | null;
}

/** Whether it is typed as a whole number of these bounds. */
function isWithin(typed: string, least: number, most: number): boolean {
  const number = typed.trim() === '' ? Number.NaN : Number(typed);
  return Number.isInteger(number) && number >= least && number <= most;
}

function numbersFault(kind: AlertKind, typed: TypedNumbers): RuleFault | null {
  if (kind === 'returning_stranger' && !isWithin(typed.visits, leastVisits, mostVisits)) {
    return 'alertRules.visitsRange';
  }
  if (isOfEnrolled(kind) && !isWithin(typed.confidence, 0, 100))
    return 'alertRules.confidenceRange';
  return isWithin(typed.quiet, 1, maxQuietMinutes) ? null : 'alertRules.quietRange';
}

export function faultOf(rule: AlertRule, { numbers, weekFault }: Typed): RuleFault | null {
  const { kind, cameras, camera_groups: groups, categories, modes } = rule;
  const isNowhere = cameras?.length === 0 && groups.length === 0;
  if (isOfCameras(kind) && isNowhere) return 'alertRules.noCameraChosen';
  if (kind === 'watched_person' && categories.length === 0) return 'alertRules.noCategoryChosen';
  if (!isOfPeople(kind)) return null;
  if (modes.length === 0) return 'alertRules.noModeChosen';
  if (weekFault !== null) return 'alertRules.checkTimes';
  return numbersFault(kind, numbers);
}

/** The rule with the numbers that are typed where they count. */
export const withNumbers = (rule: AlertRule, typed: TypedNumbers): AlertRule => ({
  ...rule,
  visits: isWithin(typed.visits, leastVisits, mostVisits) ? Number(typed.visits) : rule.visits,
  confidence_percent: isWithin(typed.confidence, 0, 100)
    ? Number(typed.confidence)
    : rule.confidence_percent,
  quiet_minutes: isWithin(typed.quiet, 1, maxQuietMinutes)
    ? Number(typed.quiet)
    : rule.quiet_minutes,
});

/** What the rule has of its kind; the rest of the form is not sent. */
export function sentOf(rule: AlertRule): Omit<AlertRule, 'id' | 'kind'> {
  const { id: _id, kind, ...fields } = rule;
  const isPeople = isOfPeople(kind);
  const cameras = isOfCameras(kind) ? rule.cameras : null;
  return {
    ...fields,
    cameras,
    camera_groups: cameras === null ? [] : rule.camera_groups,
    categories: isOfEnrolled(kind) ? rule.categories : [],
    schedule: isPeople ? rule.schedule : null,
    modes: isPeople ? rule.modes : [...watchfulModes],
    visits: kind === 'returning_stranger' ? rule.visits : usualVisits,
    confidence_percent: isOfEnrolled(kind) ? rule.confidence_percent : 0,
  };
}
