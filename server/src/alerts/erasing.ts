/**
 * Erasing what users noted when they closed alerts: a note may name who was in the alert. Alerts themselves name visits,
 * which stay without a name when a person is erased.
 */
import type { Tx } from '#db/database.ts';
import { AlertErasingStore } from './erasing-store.ts';

export class AlertErasing {
  readonly #store = new AlertErasingStore();

  /** Notes of alerts that these identities were in; returns how many are gone, at most `limit`. */
  ofPeople(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    return this.#store.removeNotesAbout(tx, identityIds, limit);
  }

  /** All notes of an account; returns how many are gone, at most `limit`. */
  ofUser(tx: Tx, userId: string, limit: number): Promise<number> {
    return this.#store.removeNotesOf(tx, userId, limit);
  }
}
