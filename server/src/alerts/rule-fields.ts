/** Rules between the fields that users send, the rows that are stored, and the activity log. Pure. */
import {
  kindsOfCameras,
  kindsOfEnrolled,
  kindsOfPeople,
  usualVisits,
  type AlertRule,
  type AlertRuleChange,
  type AlertRuleFields,
} from '@nazar/contract/alert-rules.ts';
import type { AlertKind } from '@nazar/contract/alerts.ts';
import { watchfulModes } from '@nazar/contract/house-mode.ts';
import { Problem } from '#lib/problem.ts';
import type { RuleRow } from './rule-store.ts';

export function newRow(fields: AlertRuleFields, id: string, createdAt: Date): RuleRow {
  const { cameras, camera_groups, categories, ...rest } = fields;
  const where = { camera_ids: cameras, camera_group_ids: camera_groups };
  return { id, ...rest, ...where, category_ids: categories, created_at: createdAt };
}

export function changedRow(before: RuleRow, change: AlertRuleChange): RuleRow {
  return {
    ...before,
    level: change.level ?? before.level,
    is_enabled: change.is_enabled ?? before.is_enabled,
    camera_ids: change.cameras === undefined ? before.camera_ids : change.cameras,
    camera_group_ids: change.camera_groups ?? before.camera_group_ids,
    category_ids: change.categories ?? before.category_ids,
    schedule: change.schedule === undefined ? before.schedule : change.schedule,
    modes: change.modes ?? before.modes,
    visits: change.visits ?? before.visits,
    confidence_percent: change.confidence_percent ?? before.confidence_percent,
    quiet_minutes: change.quiet_minutes ?? before.quiet_minutes,
  };
}

/** A rule has cameras, categories, times and so on only where its kind asks for them. */
export function fittingKind(row: RuleRow): RuleRow {
  const cameraIds = kindsOfCameras.includes(row.kind) ? row.camera_ids : null;
  const isOfPeople = kindsOfPeople.includes(row.kind);
  const isOfEnrolled = kindsOfEnrolled.includes(row.kind);
  const modes = watchfulModes.filter((mode) => row.modes.includes(mode));
  return {
    ...row,
    camera_ids: cameraIds,
    camera_group_ids: cameraIds === null ? [] : [...new Set(row.camera_group_ids)],
    category_ids: isOfEnrolled ? [...new Set(row.category_ids)] : [],
    schedule: isOfPeople ? row.schedule : null,
    modes: isOfPeople ? modes : [...watchfulModes],
    visits: row.kind === 'returning_stranger' ? row.visits : usualVisits,
    confidence_percent: isOfEnrolled ? row.confidence_percent : 0,
  };
}

/** The rule of the first start watches no category yet; after that a rule without one would only look as if it watched. */
export function mustWatchSome(kind: AlertKind, categories: readonly string[]): void {
  if (kind !== 'watched_person' || categories.length > 0) return;
  throw new Problem('alert_rule_categories', { field: 'categories' });
}

export const asRule = (row: RuleRow): AlertRule => ({
  id: row.id,
  kind: row.kind,
  level: row.level,
  is_enabled: row.is_enabled,
  cameras: row.camera_ids,
  camera_groups: row.camera_group_ids,
  categories: row.category_ids,
  schedule: row.schedule,
  modes: row.modes,
  visits: row.visits,
  confidence_percent: row.confidence_percent,
  quiet_minutes: row.quiet_minutes,
});

/** What the activity log keeps of a rule. */
export const recordedOf = (row: RuleRow) => ({
  kind: row.kind,
  level: row.level,
  is_enabled: row.is_enabled,
  cameras: row.camera_ids?.length ?? 'all',
  camera_groups: row.camera_group_ids.length,
  categories: row.category_ids.length,
  schedule: row.schedule !== null,
  modes: row.modes,
  ...(row.kind === 'returning_stranger' && { visits: row.visits }),
  ...(row.confidence_percent > 0 && { confidence_percent: row.confidence_percent }),
  quiet_minutes: row.quiet_minutes,
});
