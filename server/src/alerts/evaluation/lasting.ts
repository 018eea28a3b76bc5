/** How long an alert about people lasts. */
import type { AlertStatus } from '@nazar/contract/alerts.ts';

export type PeopleKind =
  'unknown_person' | 'returning_stranger' | 'watched_person' | 'known_person';

export interface Lasting {
  readonly kind: PeopleKind;
  readonly created_at: Date;
  /** When a person of it was last seen. */
  readonly last_at: Date;
}

/** A street has strangers all day: their alert is one an hour, so that each hour has a count of its own. */
export const longestUnknownMs = 60 * 60_000;

/** When it is over unless another visit comes; never before it was created, which may be long after a visit. */
export function endOf({ kind, created_at, last_at }: Lasting, quietMinutes: number): number {
  const createdMs = created_at.getTime();
  const quietAtMs = last_at.getTime() + quietMinutes * 60_000;
  const isBounded = kind === 'unknown_person';
  const endMs = isBounded ? Math.min(quietAtMs, createdMs + longestUnknownMs) : quietAtMs;
  return Math.max(createdMs, endMs);
}

/**
 * Whether a visit belongs to an alert. One that a user has dealt with takes no newcomer: users must hear
 * of a person who was not in it when it was resolved.
 */
export function goesOn(
  alert: Lasting & { readonly status: AlertStatus },
  quietMinutes: number,
  visit: { readonly startedAtMs: number; readonly isNewcomer: boolean },
): boolean {
  const isDone = alert.status === 'resolved' || alert.status === 'dismissed';
  if (isDone && visit.isNewcomer) return false;
  return visit.startedAtMs <= endOf(alert, quietMinutes);
}
