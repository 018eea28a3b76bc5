/** The log of a film: visits as they would be written, kept in memory. Takes the place of `sightings`. */
import type { Visit } from '../../server/src/sightings/sightings.ts';
import type { VisitsOptions } from '../../server/src/sightings/visits.ts';

export interface Logged extends Visit {
  /** Null: nobody known. */
  readonly person: string | null;
  /** Everybody it was ever written as. */
  readonly names: readonly string[];
}

export class FilmLog {
  readonly #visits = new Map<string, Logged>();
  #lastId = 0;

  /** In the order they began. */
  get visits(): readonly Logged[] {
    return [...this.#visits.values()].toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /** People are identities here; who is a stranger again is not asked. */
  readonly sightings: VisitsOptions['sightings'] = {
    newVisitId: () => `visit-${(this.#lastId += 1)}`,
    personOf: (identityId) => (identityId.startsWith('stranger-') ? null : identityId),
    record: async (visit) => {
      const identityId = visit.identityId ?? `stranger-${visit.id}`;
      this.#visits.set(visit.id, { ...visit, person: visit.identityId, names: namesOf(visit) });
      return { id: visit.id, identityId };
    },
    extend: async ({ id, endedAtMs, confidence }, identityId) => {
      this.#change(id, { endedAtMs, confidence });
      return identityId;
    },
    reassign: async ({ id, confidence }, _from, to) => {
      const names = [...(this.#visits.get(id)?.names ?? []), ...namesOf({ identityId: to })];
      this.#change(id, { confidence, person: to, names });
      return to ?? `stranger-${id}`;
    },
    withdraw: async ({ id }) => void this.#visits.delete(id),
  };

  #change(id: string, change: Partial<Logged>): void {
    const visit = this.#visits.get(id);
    if (!visit) throw new Error(`${id} was never written`);
    this.#visits.set(id, { ...visit, ...change });
  }
}

const namesOf = ({ identityId }: Pick<Visit, 'identityId'>): string[] =>
  identityId === null ? [] : [identityId];
