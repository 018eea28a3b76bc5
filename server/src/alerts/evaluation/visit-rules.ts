/** Which rules a visit is a case of, and what the alert of each is about. */
import { kindsOfPeople } from '@nazar/contract/alert-rules.ts';
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
  /** How sure recognition is of the person, 0 to 1; null: nothing was compared. */
  readonly confidence: number | null;
  /** Which visit of the same unknown person at this camera it is, `mostVisits` at most; 1 where no rule asks. */
  readonly nth: number;
  /** What recognition decided; other: a user named or corrected the visit since, which raises nothing. */
  readonly shows: 'unknown' | 'person' | 'other';
}

export interface PeopleRule extends Rule {
  readonly kind: PeopleKind;
}

export const isOfPeople = (rule: Rule): rule is PeopleRule => kindsOfPeople.includes(rule.kind);

/** What a visit shows that raises alerts of the kind. */
const shownBy: Readonly<Record<PeopleKind, SeenVisit['shows']>> = {
  unknown_person: 'unknown',
  returning_stranger: 'unknown',
  watched_person: 'person',
  known_person: 'person',
};

/** All strangers at a camera are one subject; other people, and a stranger who comes again, are one each. */
export function subjectOf(kind: PeopleKind, visit: SeenVisit): string {
  if (kind === 'unknown_person') return visit.camera_id;
  const isStranger = kind === 'returning_stranger';
  return `${visit.camera_id} ${isStranger ? visit.stranger_id : visit.person_identity_id}`;
}

export const isCaseOf = (rule: PeopleRule, visit: SeenVisit): boolean =>
  isAbout(rule, visit) && countsAt(rule, visit) && countsThen(rule, visit);

function isAbout(rule: PeopleRule, visit: SeenVisit): boolean {
  if (visit.shows !== shownBy[rule.kind]) return false;
  if (rule.kind === 'unknown_person') return true;
  if (rule.kind === 'returning_stranger') return visit.nth >= rule.visits;
  return isOfCategory(rule, visit.category_id) && isSureEnough(rule, visit.confidence);
}

function isOfCategory({ kind, category_ids: ids }: PeopleRule, category: string | null): boolean {
  const isNamed = category !== null && ids.includes(category);
  return kind === 'known_person' ? !isNamed : isNamed;
}

/** In whole percent, as lists show it. */
const isSureEnough = (rule: PeopleRule, confidence: number | null): boolean =>
  Math.round((confidence ?? 0) * 100) >= rule.confidence_percent;

/** Whether a visit that was counted in an alert still belongs there; null: the visit is gone. */
export function stillFits(
  alert: { readonly kind: PeopleKind; readonly subject: string },
  visit: SeenVisit | null,
): boolean {
  if (visit === null) return false;
  if (visit.shows === 'other') return true;
  return visit.shows === shownBy[alert.kind] && alert.subject === subjectOf(alert.kind, visit);
}
