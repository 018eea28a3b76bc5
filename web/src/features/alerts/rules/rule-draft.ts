/** A rule while it is edited: what is missing or wrong in it, and what of it is sent. Pure. */
import { maxQuietMinutes, type AlertRule } from '@nazar/contract/alert-rules.ts';
import { watchfulModes } from '@nazar/contract/house-mode.ts';
import type { WeekFault } from '#parts/week/use-week.ts';
import { isOfCameras, isOfPeople } from './rule-words.ts';

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
  quiet_minutes: 10,
};

export type RuleFault =
  | 'alertRules.noCameraChosen'
  | 'alertRules.noCategoryChosen'
  | 'alertRules.noModeChosen'
  | 'alertRules.checkTimes'
  | 'alertRules.quietRange';

/** What is typed beside the draft. */
export interface Typed {
  readonly quietMinutes: number;
  readonly weekFault: WeekFault | null;
}

export function faultOf(rule: AlertRule, { quietMinutes, weekFault }: Typed): RuleFault | null {
  const { kind, cameras, camera_groups: groups, categories, modes } = rule;
  const isNowhere = cameras?.length === 0 && groups.length === 0;
  if (isOfCameras(kind) && isNowhere) return 'alertRules.noCameraChosen';
  if (kind === 'watched_person' && categories.length === 0) return 'alertRules.noCategoryChosen';
  if (!isOfPeople(kind)) return null;
  if (modes.length === 0) return 'alertRules.noModeChosen';
  if (weekFault !== null) return 'alertRules.checkTimes';
  const isInRange =
    Number.isInteger(quietMinutes) && quietMinutes >= 1 && quietMinutes <= maxQuietMinutes;
  return isInRange ? null : 'alertRules.quietRange';
}

/** What the rule has of its kind; the rest of the form is not sent. */
export function sentOf(rule: AlertRule, quietMinutes: number): Omit<AlertRule, 'id' | 'kind'> {
  const { id: _id, kind, ...fields } = rule;
  const isPeople = isOfPeople(kind);
  const cameras = isOfCameras(kind) ? rule.cameras : null;
  return {
    ...fields,
    cameras,
    camera_groups: cameras === null ? [] : rule.camera_groups,
    categories: kind === 'watched_person' ? rule.categories : [],
    schedule: isPeople ? rule.schedule : null,
    modes: isPeople ? rule.modes : [...watchfulModes],
    quiet_minutes: isPeople ? quietMinutes : rule.quiet_minutes,
  };
}
