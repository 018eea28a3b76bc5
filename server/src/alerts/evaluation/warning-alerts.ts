/** Warnings as alerts: each warning has one, by the most important rule that is about it. */
import { kindsOfCameras } from '@nazar/contract/alert-rules.ts';
import { alertLevels, type AlertKind, type AlertLevel } from '@nazar/contract/alerts.ts';
import type { WarningKind } from '@nazar/contract/warnings.ts';
import { criticalWarnings } from '#activity/activity.ts';
import type { Rule } from './enabled-rules.ts';
import { countsAt, type Place } from './rule-conditions.ts';

export interface SeenWarning extends Place {
  readonly id: string;
  readonly kind: WarningKind;
  readonly details: Record<string, unknown>;
  readonly count: number;
  readonly last_at: Date;
  readonly ended_at: Date | null;
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
}

const kinds: Partial<Record<WarningKind, AlertKind>> = {
  camera_down: 'camera_down',
  camera_frozen: 'camera_picture',
  camera_covered: 'camera_picture',
  disk_low: 'storage_low',
  storage_short: 'storage_low',
  disk_full: 'recorder_failed',
  folder_away: 'recorder_failed',
  folder_hung: 'recorder_failed',
};

export const kindOf = (kind: WarningKind): AlertKind => kinds[kind] ?? 'system_warning';

export interface AppliedRule {
  readonly ruleId: string;
  readonly kind: AlertKind;
  readonly level: AlertLevel;
}

/** Null: no rule raises it, or its camera is gone. */
export function ruleFor(warning: SeenWarning, rules: readonly Rule[]): AppliedRule | null {
  const kind = kindOf(warning.kind);
  if (kindsOfCameras.includes(kind) && warning.camera_id === null) return null;
  const [rule] = rules
    .filter((one) => one.kind === kind)
    .filter((one) => countsAt(one, warning))
    .toSorted((one, other) => alertLevels.indexOf(other.level) - alertLevels.indexOf(one.level));
  if (!rule) return null;
  const isCritical = kind === 'system_warning' && criticalWarnings.includes(warning.kind);
  return { ruleId: rule.id, kind, level: isCritical ? 'critical' : rule.level };
}

/**
 * Whether one of these changes was that the warning was raised, or came again: new figures of a warning from before
 * there were alerts raise nothing.
 */
export const wasRaised = ({ last_at }: SeenWarning, changedAt: readonly Date[]): boolean =>
  changedAt.some((at) => at <= last_at);
