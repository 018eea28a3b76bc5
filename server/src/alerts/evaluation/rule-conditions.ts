/** Where and when a rule counts, whatever it is about. Pure. */
import type { HouseMode } from '@nazar/contract/house-mode.ts';
import { isScheduled } from '@nazar/contract/week-schedule.ts';
import type { Rule } from './enabled-rules.ts';

export interface Place {
  /** Null: no camera. */
  readonly camera_id: string | null;
  /** The groups that the camera is in now. */
  readonly camera_group_ids: readonly string[];
}

export interface Moment {
  readonly started_at: Date;
  /** The mode of the house then. */
  readonly mode: HouseMode;
}

type Where = Pick<Rule, 'camera_ids' | 'camera_group_ids'>;

export function countsAt(
  { camera_ids: ids, camera_group_ids: groups }: Where,
  place: Place,
): boolean {
  if (ids === null) return true;
  if (place.camera_id !== null && ids.includes(place.camera_id)) return true;
  return groups.some((id) => place.camera_group_ids.includes(id));
}

/** When the house is off, nothing counts. */
export function countsThen(rule: Pick<Rule, 'schedule' | 'modes'>, moment: Moment): boolean {
  const { mode, started_at } = moment;
  if (mode === 'off' || !rule.modes.includes(mode)) return false;
  return rule.schedule === null || isScheduled(rule.schedule, started_at.getTime());
}
