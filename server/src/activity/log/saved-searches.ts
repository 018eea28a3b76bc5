/** Searches that an account saves: no other account sees them, not even an administrator's. */
import {
  maxSavedSearches,
  type SavedSearch,
  type SavedSearchForm,
} from '@nazar/contract/saved-searches.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import { SavedSearchStore, type SavedSearchRow } from './saved-search-store.ts';

export class SavedSearches {
  readonly #store: SavedSearchStore;
  readonly #clock: Clock;

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#store = new SavedSearchStore(db);
    this.#clock = clock;
  }

  async list(scope: Scope): Promise<SavedSearch[]> {
    return (await this.#store.of(scope.userId)).map(asSavedSearch);
  }

  /** Throws saved_searches_too_many. */
  async save(scope: Scope, form: SavedSearchForm): Promise<SavedSearch> {
    const row = rowOf(scope, form, this.#clock.now());
    const saved = await this.#store.transaction(async (tx) => {
      const others = await this.#store.countOthers(tx, scope.userId, form.name);
      if (others >= maxSavedSearches) {
        throw new Problem('saved_searches_too_many', { max: maxSavedSearches });
      }
      return this.#store.save(tx, row);
    });
    return asSavedSearch(saved);
  }

  /** Throws saved_search_not_found, also for another account's. */
  async remove(scope: Scope, id: string): Promise<void> {
    if (!(await this.#store.remove(scope.userId, id))) throw new Problem('saved_search_not_found');
  }
}

function rowOf(scope: Scope, form: SavedSearchForm, nowMs: number): SavedSearchRow {
  return {
    id: uuidv7(nowMs),
    user_id: scope.userId,
    name: form.name,
    term: form.term,
    action: form.action,
    date_from: form.dateFrom,
    date_to: form.dateTo,
    content_type: form.contentType,
    target_id: form.objectId,
    ip: form.ipAddress,
    saved_at: new Date(nowMs),
  };
}

function asSavedSearch(row: SavedSearchRow): SavedSearch {
  return {
    id: row.id,
    name: row.name,
    term: row.term,
    action: row.action,
    dateFrom: row.date_from,
    dateTo: row.date_to,
    contentType: row.content_type,
    objectId: row.target_id,
    ipAddress: row.ip,
    timestamp: row.saved_at.toISOString(),
  };
}
