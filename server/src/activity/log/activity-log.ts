/**
 * The activity log of the documents: the record as its readers see it. It is the same table: an entry that a user
 * deletes gets a tombstone and the chain keeps it (H-11), and what a client reports of itself goes into the chain
 * marked as such, under a name that no deed of the server has (C-807). Only this file decides who may read what:
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
import { activitySentence } from '#http/sentences.ts';
import type { EntryWriter } from '../entry-writer.ts';
import { kindOf } from './kinds.ts';
import { csvColumns, csvLine } from './csv.ts';
import { earlier, filterOf } from './filter.ts';
import type { LogFilter, LogRow } from './rows.ts';
import { SavedSearches } from './saved-searches.ts';
import { LogStore } from './store.ts';
import { aMockEntry, asActivityEntry, toldBy } from './notes.ts';

/** Anyone may have an account, so one client must not fill the record. */
const clientEntriesPerHour = 2_000;
const hourMs = 60 * 60_000;
const exportPage = 1_000;

export interface ActivityLogOptions {
  readonly db: Database;
  readonly activity: EntryWriter;
  readonly clock: Clock;
  /** Lets every user make mock entries of their own; administrators always may. */
  readonly development: boolean;
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

  constructor({ db, activity, clock, development }: ActivityLogOptions) {
    this.searches = new SavedSearches({ db, clock });
    this.#store = new LogStore(db);
    this.#activity = activity;
    this.#clock = clock;
    this.#development = development;
  }

  /** Throws page_too_late. */
  async list(scope: Scope, query: ActivityQuery, language: Language): Promise<Found> {
    const { count, more, rows } = await this.#store.list(filterOf(scope, query, language), {
      sortBy: query.sort_by,
      direction: query.sort_direction,
      page: query.page,
      pageSize: query.limit,
    });
    return { count, more, results: rows.map((row) => asActivityEntry(row, sentenceIn(language))) };
  }

  /** Throws activity_not_found. */
  async read(scope: Scope, id: string, language: Language): Promise<ActivityEntry> {
    const row = await this.#store.find(filterOf(scope, {}, language), id);
    if (!row) throw new Problem('activity_not_found');
    return asActivityEntry(row, sentenceIn(language));
  }

  /** Everybody's deeds by kind, the most frequent first; mock ones only when asked for. */
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

  /** CSV, in pages as the reader takes them (C-716), without entries that come meanwhile. */
  async export(
    scope: Scope,
    query: ActivityFilters,
    language: Language,
  ): Promise<{ day: string; rows: AsyncIterable<string> }> {
    const filter = filterOf(scope, query, language);
    const until = new Date(this.#clock.now() + 1);
    const upToNow = { ...filter, until: earlier(filter.until, until) };
    // Only the names of the filters, because the text of a search may be a person's name.
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
    return { day, rows: this.#rows(upToNow, sentenceIn(language)) };
  }

  /** Throws too_many_requests. */
  async add(scope: Scope, entry: ClientEntry, language: Language): Promise<ActivityEntry> {
    const { ids } = await this.#store.transaction((tx) => this.#add(tx, scope, [entry]));
    return this.read(scope, ids[0]!, language);
  }

  /** Answers which entries are there now, earlier ones included. Throws too_many_requests. */
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

  /** Throws activity_not_found, also for another user's entry (C-308). */
  async remove(scope: Scope, id: string): Promise<void> {
    const deleted = await this.#remove(scope, { ids: [id] });
    if (deleted === 0) throw new Problem('activity_not_found');
  }

  removeMany(scope: Scope, ids: readonly string[]): Promise<number> {
    return this.#remove(scope, { ids });
  }

  removeAll(scope: Scope): Promise<number> {
    return this.#remove(scope, {});
  }

  /** Throws user_not_found for users whom the caller may not know of, and for users without entries. */
  async removeOfUser(scope: Scope, userId: string): Promise<number> {
    if (!scope.seesAll && userId !== scope.userId) throw new Problem('user_not_found');
    const deleted = await this.#remove(scope, { userId });
    if (deleted === 0 && userId !== scope.userId) throw new Problem('user_not_found');
    return deleted;
  }

  /** One entry tells of the deletion, whatever its size. */
  #remove(
    scope: Scope,
    { ids, userId }: { readonly ids?: readonly string[]; readonly userId?: string },
  ): Promise<number> {
    const filter = filterOf(scope, { user: userId }, 'en');
    return this.#store.transaction(async (tx) => {
      const by = { userId: scope.userId, at: new Date(this.#clock.now()) };
      const deleted = await this.#store.bury(tx, filter, ids ?? null, by);
      if (deleted === 0) return 0;
      const of = filter.userId === null ? {} : { of: filter.userId };
      await this.#activity.record(tx, {
        actor: scope,
        action: 'activity.deleted',
        object: null,
        details: { entries: deleted, ...of },
      });
      return deleted;
    });
  }

  /** Ids of the entries, new ones and those that were there under the client's own id. */
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
    const told = fresh.map((entry) => ({ ...toldBy(entry, isMock), clientId: entry.id ?? null }));
    const ids = await this.#activity.recordTold(tx, scope, told);
    const notes = told.map(({ clientId, note: { text, salt, words } }, index) => {
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

  async *#rows(filter: LogFilter, sentence: (action: string) => string): AsyncGenerator<string> {
    yield csvStart + csvRow(csvColumns);
    let last: LogRow | null = null;
    for (;;) {
      const rows: LogRow[] = await this.#store.after(filter, last, exportPage);
      if (rows.length === 0) return;
      yield rows.map((row) => csvLine(asActivityEntry(row, sentence))).join('');
      last = rows.at(-1) ?? null;
    }
  }
}

const sentenceIn =
  (language: Language) =>
  (action: string): string =>
    activitySentence(language, action);

function largestFirst(counts: readonly { name: string; value: number }[]) {
  return counts.toSorted((a, b) => b.value - a.value || a.name.localeCompare(b.name));
}
