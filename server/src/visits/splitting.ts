/**
 * Moves visits that were taken for one stranger to another: their rows, their pictures, sealed again under the
 * other's key, and the references of both from then on.
 */
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Faces, Identity } from '#faces/faces.ts';
import { asReference, sealPicture, type Pictures } from './pictures.ts';
import type { VisitRow, VisitStore } from './store.ts';
import type { UnknownFaceStore } from './unknown-face-store.ts';

/** Pictures tried for the stranger who is left: more than there are references, because some show the same. */
const triedPictures = 15;

export interface SplittingOptions {
  readonly store: UnknownFaceStore;
  readonly visits: VisitStore;
  readonly faces: Faces;
  readonly pictures: Pictures;
}

export class Splitting {
  readonly #options: SplittingOptions;

  constructor(options: SplittingOptions) {
    this.#options = options;
  }

  /** Returns the new stranger. Throws sighting_not_found, unknown_face_split_whole. */
  async split(tx: Tx, strangerId: string, visitIds: readonly string[]): Promise<string> {
    const { store, faces } = this.#options;
    const visits = await store.visitsOf(tx, strangerId, visitIds);
    if (visits.length < visitIds.length) throw new Problem('sighting_not_found');
    if (!(await store.hasOthers(tx, strangerId, visitIds))) {
      throw new Problem('unknown_face_split_whole');
    }
    const made = await faces.strangers.begin(tx);
    await faces.strangers.forgetVisits(tx, visitIds);
    for (const visit of visits) await this.#move(tx, visit, made);
    const left = new Set(visits.map(({ identity_id }) => identity_id));
    for (const id of left) await this.#referAgain(tx, id);
    return made.id;
  }

  async #move(tx: Tx, visit: VisitRow, to: Identity): Promise<void> {
    const { visits, faces, pictures } = this.#options;
    const { confidence, quality } = visit;
    const kept = await pictures.open(visit.id);
    const picture = kept && sealPicture(visit.id, to, kept);
    const now = { identity_id: to.id, confidence, quality, picture };
    await visits.reassign(tx, visit, now);
    await faces.negatives.move(tx, visit.id, to);
    if (kept) await faces.strangers.refer(tx, to, asReference(visit, kept));
  }

  /** The stranger who is left may have lost all references. */
  async #referAgain(tx: Tx, id: string): Promise<void> {
    const { store, faces, pictures } = this.#options;
    for (const visit of await store.bestOf(tx, id, triedPictures)) {
      const kept = await pictures.open(visit.id);
      if (!kept) continue;
      const identity = { id, key: await faces.keyOf(id) };
      await faces.strangers.refer(tx, identity, asReference(visit, kept));
    }
  }
}
