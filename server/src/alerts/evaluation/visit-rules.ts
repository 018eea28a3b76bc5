/** Which rules a visit is a case of, and what the alert of each is about. */
import type { Rule } from './enabled-rules.ts';
import type { PeopleKind } from './lasting.ts';
import { countsAt, countsThen, type Moment, type Place } from './rule-conditions.ts';

export interface SeenVisit extends Place, Moment {
  readonly id: string;
  readonly camera_id: string;
  readonly identity_id: string;
  /** One for all identities of an unknown person. */
  readonly stranger_id: string;
  /** The oldest identity of the person; null: of an unknown one. An erased person leaves no other id in an alert. */
  readonly person_identity_id: string | null;
  readonly category_id: string | null;
  /** What recognition decided; other: a user named or corrected the visit since, which raises nothing. */
  readonly shows: 'unknown' | 'person' | 'other';
}

export interface PeopleRule extends Rule {
  readonly kind: PeopleKind;
}

export const isOfPeople = (rule: Rule): rule is PeopleRule =>
  rule.kind === 'unknown_person' || rule.kind === 'watched_person';

export function subjectOf(kind: PeopleKind, visit: SeenVisit): string {
  if (kind === 'unknown_person') return visit.camera_id;
  return `${visit.camera_id} ${visit.person_identity_id}`;
}

export function isCaseOf(rule: PeopleRule, visit: SeenVisit): boolean {
  return isAbout(rule, visit) && countsAt(rule, visit) && countsThen(rule, visit);
}

function isAbout(rule: PeopleRule, visit: SeenVisit): boolean {
  if (rule.kind === 'unknown_person') return visit.shows === 'unknown';
  const { shows, category_id: category } = visit;
  return shows === 'person' && category !== null && rule.category_ids.includes(category);
}

/** Whether a visit that was counted in an alert still belongs there; null: the visit is gone. */
export function stillFits(
  alert: { readonly kind: PeopleKind; readonly subject: string },
  visit: SeenVisit | null,
): boolean {
  if (visit === null) return false;
  if (visit.shows === 'other') return true;
  const fitting = alert.kind === 'unknown_person' ? 'unknown' : 'person';
  return visit.shows === fitting && alert.subject === subjectOf(alert.kind, visit);
}
