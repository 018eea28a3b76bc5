/**
 * Erasing what cameras saw of people. Visits of an erased person stay as visits of an unknown one, without picture or
 * vector; those of a closed account go too. What counts them goes with them.
 */
import type { Database, Tx } from '#db/database.ts';
import { VisitErasingStore } from './erasing-store.ts';

export class VisitErasing {
  readonly #store: VisitErasingStore;

  constructor(db: Database) {
    this.#store = new VisitErasingStore(db);
  }

  /** Returns how many pictures with their vectors are gone, at most `limit`. */
  pictures(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    return this.#store.removePictures(tx, identityIds, limit);
  }

  /**
   * Nothing in the log leads from an erased person's id to visits: what recognition said of visits that are theirs
   * names the visit's own identity from then on; for visits that a user gave to another person it is forgotten. Returns
   * for how many, at most `limit`.
   */
  recognized(tx: Tx, personId: string, limit: number): Promise<number> {
    return this.#store.forgetRecognized(tx, personId, limit);
  }

  /** Removes pictures, then visits; returns how many visits are gone, at most `limit`. */
  visits(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    return this.#store.removeVisits(tx, identityIds, limit);
  }

  /** Removes one visit; returns how many pictures went with it. */
  visit(tx: Tx, row: { readonly id: string; readonly started_at: Date }): Promise<number> {
    return this.#store.removeVisit(tx, row);
  }

  /** Removes pictures that were being written while their key was destroyed: nothing can open them. */
  unreadable(tx: Tx, limit: number): Promise<number> {
    return this.#store.removeUnreadable(tx, limit);
  }

  /** Returns unnamed identities that only cameras of this account saw. */
  strangersAtCamerasOf(userId: string, limit: number): Promise<string[]> {
    return this.#store.strangersAtCamerasOf(userId, limit);
  }

  /** Returns visits of strangers at cameras of this account that others' cameras saw too: at most `limit`. */
  sharedStrangersOf(
    userId: string,
    limit: number,
  ): Promise<{ readonly id: string; readonly started_at: Date }[]> {
    return this.#store.strangerVisitsAtCamerasOf(userId, limit);
  }

  /** Removes pictures from before then of strangers who came again since; returns how many are gone. */
  strangerPicturesBefore(tx: Tx, before: Date, limit: number): Promise<number> {
    return this.#store.removeStrangerPictures(tx, before, limit);
  }

  /** Returns unnamed identities without a picture as young as that: at most `limit`. */
  strangersBefore(before: Date, limit: number): Promise<string[]> {
    return this.#store.strangersBefore(before, limit);
  }

  /** Returns the names of months that were over by then: they go as a whole. */
  monthsBefore(before: Date): Promise<string[]> {
    return this.#store.dropMonths(before);
  }

  /** Removes visits and pictures from before then, a batch of each; returns how many rows went. */
  before(tx: Tx, before: Date, limit: number): Promise<{ visits: number; pictures: number }> {
    return this.#store.removeBefore(tx, before, limit);
  }

  /** Returns people who were added before then and whom no camera has seen since. */
  unseenSince(since: Date, limit: number): Promise<string[]> {
    return this.#store.unseenSince(since, limit);
  }
}
