/**
 * The log of a film: visits as they would be written, kept in memory. It takes the place of the module `visits`. The
 * product's rule decides which stranger has come again, with one picture for each.
 */
import { Gallery } from '../../server/src/faces/gallery/gallery.ts';
import { joining, type Joining } from '../../server/src/faces/strangers/joining.ts';
import type { DecidedVisit } from '../../server/src/visits/visits.ts';
import type { TrackedVisitsOptions } from '../../server/src/visits/tracked-visits.ts';
import { measuredPack } from '../rig/measured-pack.ts';

export interface Logged extends DecidedVisit {
  /** The visit's identity, which strangers have too. */
  readonly identityId: string;
  /** Null: an unknown person. */
  readonly person: string | null;
  /** Every person it was ever written as. */
  readonly names: readonly string[];
}

export class FilmLog {
  readonly #visits = new Map<string, Logged>();
  readonly #strangers = new Gallery();
  #lastId = 0;

  /** In the order they began. */
  get visits(): readonly Logged[] {
    return [...this.#visits.values()].toSorted((a, b) => a.startedAtMs - b.startedAtMs);
  }

  /** People are identities here. */
  readonly writer: TrackedVisitsOptions['visits'] = {
    newVisitId: () => `visit-${(this.#lastId += 1)}`,
    personOf: (identityId) => (identityId.startsWith('stranger-') ? null : identityId),
    write: async (visit) => {
      const stranger = visit.identityId === null ? this.#stranger(visit) : null;
      const goesOn = visit.mayGoOn?.find((id) => this.#visits.get(id)?.identityId === stranger);
      if (stranger !== null && goesOn !== undefined) {
        this.#change(goesOn, { endedAtMs: visit.endedAtMs });
        const { startedAtMs } = this.#visits.get(goesOn)!;
        return { id: goesOn, identityId: stranger, startedAtMs };
      }
      const identityId = visit.identityId ?? stranger ?? strangerOf(visit);
      const row = { ...visit, identityId, person: visit.identityId, names: namesOf(visit) };
      this.#visits.set(visit.id, row);
      return { id: visit.id, identityId, startedAtMs: visit.startedAtMs };
    },
    extend: async ({ id, endedAtMs, confidence }, identityId) => {
      this.#change(id, { endedAtMs, confidence });
      return identityId;
    },
    // No film is that long.
    beginNext: async () => {
      throw new Error('a visit of over a day in a film');
    },
    reassign: async ({ id, confidence }, _from, to) => {
      const names = [...(this.#visits.get(id)?.names ?? []), ...namesOf({ identityId: to })];
      const identityId = to ?? strangerOf({ id });
      this.#change(id, { confidence, person: to, names, identityId });
      return identityId;
    },
    withdraw: async ({ id }) => void this.#visits.delete(id),
  };

  /** Null: no particular person. */
  #stranger(visit: DecidedVisit): string | null {
    const known = this.#joining(visit);
    if (known.kind === 'join') return known.identityId;
    if (known.kind === 'apart') return null;
    const { packId, packVersion, template } = visit.picture;
    const reference = { pack: `${packId}@${packVersion}`, vector: template };
    this.#strangers.replace(strangerOf(visit), [reference]);
    return strangerOf(visit);
  }

  #joining({ picture, cameraId, startedAtMs, beside = [], mayGoOn = [] }: DecidedVisit): Joining {
    const { packId, packVersion, template, quality } = picture;
    const pack = `${packId}@${packVersion}`;
    const inView = this.visits.filter(
      ({ id, ...it }) =>
        beside.includes(id) ||
        (it.cameraId === cameraId && it.endedAtMs >= startedAtMs && !mayGoOn.includes(id)),
    );
    const others = new Set(inView.map(({ identityId }) => identityId));
    const nearest = this.#strangers
      .nearest(template, pack, others.size + 2)
      .map((near) => ({ ...near, strangerId: near.identityId }));
    const compared = this.#strangers.references(pack);
    return joining({ quality, nearest, beside: others, compared }, calibration);
  }

  #change(id: string, change: Partial<Logged>): void {
    const visit = this.#visits.get(id);
    if (!visit) throw new Error(`${id} was never written`);
    this.#visits.set(id, { ...visit, ...change });
  }
}

const { calibration } = measuredPack.embedder;
const strangerOf = ({ id }: Pick<DecidedVisit, 'id'>): string => `stranger-${id}`;

const namesOf = ({ identityId }: Pick<DecidedVisit, 'identityId'>): string[] =>
  identityId === null ? [] : [identityId];
