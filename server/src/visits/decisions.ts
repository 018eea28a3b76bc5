/**
 * How a visit got its name: recognized at that moment, by which models and how surely; named by a user; taken over by
 * a merge, split off, or no longer the person it was taken for. Only what stands today: what was taken back is in the
 * activity log.
 */
import { hiddenName } from '@nazar/contract/names.ts';
import type { VisitDecision } from '@nazar/contract/visits.ts';
import type { Scope } from '#http/scope.ts';
import type { DecidedRow, DecisionsStore, RecognizedRow } from './decisions-store.ts';
import type { ListedVisit } from './lists/listed-visit-store.ts';

const noUser = { by: null, entry: null };
const nothingCompared = { confidence: null, pack: null };

export class Decisions {
  readonly #store: DecisionsStore;

  constructor(store: DecisionsStore) {
    this.#store = store;
  }

  /** The oldest first; none of a person whose name this reader may not read. */
  async of(scope: Scope, visit: ListedVisit): Promise<VisitDecision[]> {
    if (visit.is_known && !visit.may_name) return [];
    const recognized = await this.#store.recognized(scope, visit.id);
    if (!recognized) return [];
    const decided = await this.#store.decided(scope, visit);
    const standing = decided.filter((row) => reaches(row, visit, recognized));
    return [
      ...asRecognized(visit, recognized),
      ...standing.map((row) => asDecided(scope, row)),
    ].toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
  }
}

/** What was said of an unknown person holds for visits that were there; later ones of theirs are decided by recognition. */
function reaches(
  { kind, at }: DecidedRow,
  visit: ListedVisit,
  { started_at }: RecognizedRow,
): boolean {
  if (kind === 'not_this_person' || started_at < at) return true;
  // An unknown person whom someone named is known by that name: it is theirs unless recognition named them.
  return kind === 'identify' && !visit.is_match;
}

/** For a person whom the visit no longer shows, returns only what this reader may read of them. */
function asRecognized(visit: ListedVisit, row: RecognizedRow): VisitDecision[] {
  const isOther = !visit.is_match;
  if (isOther && row.name === null) return [];
  const name = row.may_name ? row.name : hiddenName;
  return [
    {
      kind: 'recognized',
      at: row.recognized_at?.toISOString() ?? null,
      ...noUser,
      name: isOther ? name : null,
      confidence: row.confidence,
      pack: row.recognized_by,
    },
  ];
}

/** Other accounts' names and entries are read by administrators, as in the activity log. */
function asDecided(scope: Scope, row: DecidedRow): VisitDecision {
  const { kind, at, decided_by: id, entry_id: entry, user_name } = row;
  const mayRead = scope.seesAll || id === scope.userId;
  const isNamed = kind === 'not_this_person' && row.name !== null;
  return {
    kind,
    at: at.toISOString(),
    by: mayRead && id !== null && user_name !== '' ? { id, name: user_name } : null,
    entry: mayRead ? entry : null,
    name: isNamed ? (row.may_name ? row.name : hiddenName) : null,
    ...nothingCompared,
  };
}
