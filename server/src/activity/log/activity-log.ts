/**
 * The activity log of the documents, as its readers see it. It uses the same table: an entry that a user
 * deletes gets a tombstone and the chain keeps it, and what a client reports about itself goes into the chain
 * marked as such, under a name that no action of the server has. Only this file decides who may read what:
 * administrators everything, everyone else what they did themselves.
 */
import type {
  ActivityEntry,
  ActivityFilters,
  ActivityQuery,
  ActivityStatsQuery,
  ClientEntry,
} from '@nazar/contract/activity.ts';
import type { Language } from '@nazar/contract/accounts.ts';
import type { Clock } from '#lib/clock.ts';
import { csvRow, csvStart } from '#lib/csv.ts';
import { Problem } from '#lib/problem.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { EntryWriter } from '../entry-writer.ts';
import { kindOf } from './kinds.ts';
import { csvColumns, csvLine } from './csv.ts';
import { earlier, filterOf } from './filter.ts';
import type { EntryPlace, LogFilter, NamedRow } from './rows.ts';
import { SavedSearches } from './saved-searches.ts';
import { LogStore } from './store.ts';
import { aMockEntry, asActivityEntry, reportedBy } from './notes.ts';

/** Anyone may have an account, so one client must not fill the log. */
const clientEntriesPerHour = 2_000;
const hourMs = 60 * 60_000;
const exportPage = 1_000;
/** One transaction removes no more: two million at once would hold their locks longer than a statement may take. */
const usuallyRemovedAtOnce = 20_000;

export interface ActivityLogOptions {
  readonly db: Database;
  readonly activity: EntryWriter;
  readonly clock: Clock;
  /** Lets every user make mock entries of their own; administrators always may. */
  readonly development: boolean;
  /** The number of entries that one transaction removes. */
  readonly removedAtOnce?: number;
}

interface Found {
  readonly count: number;
  readonly more: boolean;
  readonly results: ActivityEntry[];
}

export class ActivityLog {
  readonly searches: SavedSearches;
  readonly #store: LogStore;
  readonly #activity: EntryWriter;
  readonly #clock: Clock;
  readonly #development: boolean;
  readonly #removedAtOnce: number;

  constructor({ db, activity, clock, development, removedAtOnce }: ActivityLogOptions) {
    this.searches = new SavedSearches({ db, clock });
    this.#store = new LogStore(db);
    this.#activity = activity;
    this.#clock = clock;
    this.#development = development;
    this.#removedAtOnce = removedAtOnce ?? usuallyRemovedAtOnce;
  }

  /** Throws page_too_late. */
  async list(scope: Scope, query: ActivityQuery, language: Language): Promise<Found> {
    const { count, more, rows } = await this.#store.list(filterOf(scope, query, language), {
      sortBy: query.sort_by,
      direction: query.sort_direction,
      page: query.page,
      pageSize: query.limit,
    });
    return { count, more, results: rows.map((row) => asActivityEntry(row, language)) };
  }

  /** Throws activity_not_found. */
  async read(scope: Scope, id: string, language: Language): Promise<ActivityEntry> {
    const row = await this.#store.find(filterOf(scope, {}, language), id);
    if (!row) throw new Problem('activity_not_found');
    return asActivityEntry(row, language);
  }

  /** The actions of all users by kind, the most frequent first; mock ones only if requested. */
  async countByAction(
    scope: Scope,
    { include_mock, ...query }: ActivityStatsQuery,
    language: Language,
  ): Promise<{ name: string; value: number }[]> {
    const filter = { ...filterOf(scope, query, language), withMock: include_mock };
    const counts = new Map<string, number>();
    for (const { name, value } of await this.#store.countByAction(filter)) {
      counts.set(kindOf(name), (counts.get(kindOf(name)) ?? 0) + value);
    }
    return largestFirst([...counts].map(([name, value]) => ({ name, value })));
  }

  /** CSV, page by page as the reader consumes it, without entries that are added meanwhile. */
  async export(
    scope: Scope,
    query: ActivityFilters,
    language: Language,
  ): Promise<{ day: string; rows: AsyncIterable<string> }> {
    const filter = filterOf(scope, query, language);
    const until = new Date(this.#clock.now() + 1);
    const upToNow = { ...filter, until: earlier(filter.until, until) };
    // Only the names of the filters, because a search text may be a person's name.
    const filters = Object.keys(query).filter(
      (key) => query[key as keyof ActivityFilters] !== undefined,
    );
    await this.#activity.recordAlone({
      actor: scope,
      action: 'activity.exported',
      object: null,
      details: { filters },
    });
    const day = until.toISOString().slice(0, 10);
    return { day, rows: this.#rows(upToNow, language) };
  }

  /** Throws too_many_requests. */
  async add(scope: Scope, entry: ClientEntry, language: Language): Promise<ActivityEntry> {
    const { ids } = await this.#store.transaction((tx) => this.#add(tx, scope, [entry]));
    return this.read(scope, ids[0]!, language);
  }

  /** Returns the ids of the entries that exist now, earlier ones included. Throws too_many_requests. */
  async sync(
    scope: Scope,
    entries: readonly (ClientEntry & { id: string })[],
  ): Promise<{ accepted: string[]; added: number }> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const { added } = await this.#store.transaction((tx) =>
      this.#add(tx, scope, [...byId.values()]),
    );
    return { accepted: [...byId.keys()], added };
  }

  /** Throws forbidden, too_many_requests. */
  async addMock(scope: Scope, count: number): Promise<number> {
    if (!scope.seesAll && !this.#development) throw new Problem('forbidden');
    const entries = Array.from({ length: count }, aMockEntry);
    const { added } = await this.#store.transaction((tx) => this.#add(tx, scope, entries, true));
    return added;
  }

  /** Throws activity_not_found, also for another user's entry. */
  async remove(scope: Scope, id: string): Promise<void> {
    const deleted = await this.removeMany(scope, [id]);
    if (deleted === 0) throw new Problem('activity_not_found');
  }

  removeMany(scope: Scope, ids: readonly string[]): Promise<number> {
    const filter = filterOf(scope, {}, 'en');
    return this.#store.transaction(async (tx) => {
      const deleted = await this.#store.bury(tx, filter, ids, this.#by(scope));
      await this.#tellRemoval(tx, scope, filter, deleted);
      return deleted;
    });
  }

  removeAll(scope: Scope): Promise<number> {
    return this.#removeFrom(scope, filterOf(scope, {}, 'en'));
  }

  /** Throws user_not_found for users whom the caller may not know of, and for users without entries. */
  async removeOfUser(scope: Scope, userId: string): Promise<number> {
    if (!scope.seesAll && userId !== scope.userId) throw new Problem('user_not_found');
    const deleted = await this.#removeFrom(scope, filterOf(scope, { user: userId }, 'en'));
    if (deleted === 0 && userId !== scope.userId) throw new Problem('user_not_found');
    return deleted;
  }

  /**
   * Removes all that match, from the newest on, batch by batch. Each batch is recorded in its own transaction,
   * so that nothing is removed unrecorded when the server ends in between; a repeated request continues. Entries added
   * meanwhile, those about the batches among them, are newer and stay.
   */
  async #removeFrom(scope: Scope, filter: LogFilter): Promise<number> {
    const by = { ...this.#by(scope), limit: this.#removedAtOnce };
    let deleted = 0;
    let last: EntryPlace | null = null;
    do {
      const after: EntryPlace | null = last;
      const batch = await this.#store.transaction(async (tx) => {
        const done = await this.#store.buryFrom(tx, filter, after, by);
        await this.#tellRemoval(tx, scope, filter, done.buried);
        return done;
      });
      deleted += batch.buried;
      last = batch.last;
    } while (last !== null);
    return deleted;
  }

  #by(scope: Scope): { readonly userId: string; readonly at: Date } {
    return { userId: scope.userId, at: new Date(this.#clock.now()) };
  }

  async #tellRemoval(tx: Tx, scope: Scope, filter: LogFilter, entries: number): Promise<void> {
    if (entries === 0) return;
    const of = filter.userId === null ? {} : { of: filter.userId };
    await this.#activity.record(tx, {
      actor: scope,
      action: 'activity.deleted',
      object: null,
      details: { entries, ...of },
    });
  }

  /** Ids of the entries, both new ones and those already stored under the client's own id. */
  async #add(
    tx: Tx,
    scope: Scope,
    entries: readonly ClientEntry[],
    isMock = false,
  ): Promise<{ ids: string[]; added: number }> {
    await this.#store.lockNotesOf(tx, scope.userId);
    const clientIds = entries.flatMap(({ id }) => id ?? []);
    const known = await this.#store.noted(tx, scope.userId, clientIds);
    const fresh = entries.filter(({ id }) => id === undefined || !known.has(id));
    const nowMs = this.#clock.now();
    const before = await this.#store.countOfClient(tx, scope.userId, new Date(nowMs - hourMs));
    if (before + fresh.length > clientEntriesPerHour) {
      throw new Problem('too_many_requests', { retry_after_s: hourMs / 1000 });
    }
    const reported = fresh.map((entry) => ({
      ...reportedBy(entry, isMock),
      clientId: entry.id ?? null,
    }));
    const ids = await this.#activity.recordReported(tx, scope, reported);
    const notes = reported.map(({ clientId, note: { text, salt, words } }, index) => {
      return {
        entry_id: ids[index]!,
        user_id: scope.userId,
        client_id: clientId,
        salt,
        text,
        words,
      };
    });
    await this.#store.addNotes(tx, notes);
    return { ids: [...known.values(), ...ids], added: ids.length };
  }

  async *#rows(filter: LogFilter, language: Language): AsyncGenerator<string> {
    yield csvStart + csvRow(csvColumns);
    let last: NamedRow | null = null;
    for (;;) {
      const rows: NamedRow[] = await this.#store.after(filter, last, exportPage);
      if (rows.length === 0) return;
      yield rows.map((row) => csvLine(asActivityEntry(row, language))).join('');
      last = rows.at(-1) ?? null;
    }
  }
}

function largestFirst(counts: readonly { name: string; value: number }[]) {
  return counts.toSorted((a, b) => b.value - a.value || a.name.localeCompare(b.name));
}
