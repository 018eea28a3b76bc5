/**
 * Erasing what cameras saw of somebody. Of a person who is erased the visits stay as visits of nobody
 * known, without picture or vector; of an account that ended they go too (SES-041). Counts by the hour say
 * how many were there, not who, and stay.
 */
import type { Database, Tx } from '#db/database.ts';
import { SightingErasingStore } from './erasing-store.ts';

export class SightingErasing {
  readonly #store: SightingErasingStore;

  constructor(db: Database) {
    this.#store = new SightingErasingStore(db);
  }

  /** How many pictures with their vectors are gone. */
  pictures(tx: Tx, identityIds: readonly string[]): Promise<number> {
    return this.#store.removePictures(tx, identityIds);
  }

  /** How many visits are gone, at most `limit`. Pictures first. */
  visits(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    return this.#store.removeVisits(tx, identityIds, limit);
  }

  /** One visit, with all that was counted of it; how many pictures went with it. */
  visit(tx: Tx, row: { readonly id: string; readonly started_at: Date }): Promise<number> {
    return this.#store.removeVisit(tx, row);
  }

  /** Pictures that were being written while their key was destroyed: nothing can open them. */
  unreadable(tx: Tx, limit: number): Promise<number> {
    return this.#store.removeUnreadable(tx, limit);
  }

  /** Identities nobody is known by that only cameras of this account saw. */
  strangersAtCamerasOf(userId: string, limit: number): Promise<string[]> {
    return this.#store.strangersAtCamerasOf(userId, limit);
  }

  /** Visits of strangers at cameras of this account, whom others saw too: at most `limit`. */
  sharedStrangersOf(
    userId: string,
    limit: number,
  ): Promise<{ readonly id: string; readonly started_at: Date }[]> {
    return this.#store.strangerVisitsAtCamerasOf(userId, limit);
  }

  /** Pictures from before then of strangers who came again since; how many are gone. */
  strangerPicturesBefore(tx: Tx, before: Date, limit: number): Promise<number> {
    return this.#store.removeStrangerPictures(tx, before, limit);
  }

  /** Nobody known, of whom no picture is as young as that: at most `limit` identities. */
  strangersBefore(before: Date, limit: number): Promise<string[]> {
    return this.#store.strangersBefore(before, limit);
  }

  /** Months that are over by then go as a whole; their names. */
  monthsBefore(before: Date): Promise<string[]> {
    return this.#store.dropMonths(before);
  }

  /** Visits, pictures and day counts from before then, a batch of each: how many rows went. */
  before(tx: Tx, before: Date, limit: number): Promise<{ visits: number; pictures: number }> {
    return this.#store.removeBefore(tx, before, limit);
  }

  /** People who were added before then and whom no camera has seen since. */
  unseenSince(since: Date, limit: number): Promise<string[]> {
    return this.#store.unseenSince(since, limit);
  }
}
