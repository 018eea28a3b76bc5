import { sql, type Kysely, type RawBuilder } from 'kysely';
import { foldedText } from '@nazar/contract/folded-text.ts';
import type { Database } from '#db/database.ts';
import { hasFolded, hasText } from '#db/like.ts';
import { uuidFloor } from '#lib/ids.ts';
import { hasPattern } from './name-pattern.ts';
import { type NameStore, type NamedObject } from './name-store.ts';
import type { LogFilter, NamePattern, NoteRow, Search, Span } from './rows.ts';

/** What matches the words: each list names entries by a column that has an index. */
export interface Found extends Search {
  readonly userIds: readonly string[];
  /** Entries whose note or details have the words. */
  readonly entryIds: readonly string[];
  readonly objectIds: readonly string[];
  readonly sentences: readonly FoundSentence[];
}

interface About {
  /** Null: all of them. */
  readonly action: string | null;
  readonly to?: string | null;
  readonly objectIds: readonly string[] | null;
}

/** Deeds whose sentence has the words across the name of one of these objects. */
export interface FoundSentence extends Span {
  /** Null: whatever it was done to. */
  readonly objectIds: readonly string[] | null;
}

interface Tables {
  activity_note: NoteRow;
  activity_detail: {
    readonly entry_id: string;
    readonly user_id: string | null;
    readonly words: string;
    readonly tokens: readonly string[];
  };
  activity_user: { readonly id: string; readonly email: string; readonly name: string };
}

/** Whoever types one letter looks for nobody in particular. */
const maxUsers = 1_000;

/** SQL of the words of a search: whose names, which notes and which details have them. */
export class SearchStore {
  readonly #db: Database;
  readonly #names: NameStore;

  constructor(db: Database, names: NameStore) {
    this.#db = db;
    this.#names = names;
  }

  async find(search: Search, filter: LogFilter, maxEntries: number): Promise<Found> {
    const inside: NamePattern = { text: foldedText(search.words), begins: false, ends: false };
    const patterns = [inside, ...search.spans.flatMap(({ pattern }) => pattern ?? [])];
    const [userIds, noteIds, detailIds, objects] = await Promise.all([
      this.#users(search.words),
      this.#notes(search.words, filter, maxEntries),
      this.#details(search, filter, maxEntries),
      this.#names.find(filter.reader, distinct(patterns)),
    ]);
    const objectIds = idsWith(objects, inside);
    const sentences = search.spans.map((span) => {
      return { ...span, objectIds: span.pattern && idsWith(objects, span.pattern) };
    });
    const about = await this.#about(
      [{ action: null, objectIds }, ...sentences],
      filter,
      maxEntries,
    );
    const entryIds = [...new Set([...noteIds, ...detailIds, ...about])];
    return {
      ...search,
      userIds,
      entryIds,
      objectIds: fewIds(objectIds) ? [] : objectIds,
      sentences,
    };
  }

  /** The newest entries about few objects; those about many are left to the query that reads the log. */
  async #about(
    wanted: readonly About[],
    { userId, from, until }: LogFilter,
    limit: number,
  ): Promise<string[]> {
    const pairs = wanted
      .filter(({ to = null, objectIds }) => to === null && objectIds && fewIds(objectIds))
      .flatMap(({ action, objectIds }) =>
        (objectIds ?? []).map((id) => ({ id, action: action ?? '' })),
      );
    if (pairs.length === 0) return [];
    const also = [
      ...(userId === null ? [] : [sql`and user_id = ${userId}`]),
      ...(from === null ? [] : [sql`and recorded_at >= ${from}`]),
      ...(until === null ? [] : [sql`and recorded_at < ${until}`]),
    ];
    const { rows } = await sql<{ id: string }>`
      select entry.id
        from unnest(${pairs.map(({ id }) => id)}::text[], ${pairs.map(({ action }) => action)}::text[])
               as wanted (object_id, action)
       cross join lateral (
         select id from audit_entry
          where object_id = wanted.object_id and (wanted.action = '' or action = wanted.action)
                ${sql.join(also, sql` `)}
          order by recorded_at desc, id desc limit ${limit === Infinity ? null : limit}
       ) as entry`.execute(this.#read);
    return rows.map(({ id }) => id);
  }

  async #users(words: string): Promise<string[]> {
    const rows = await this.#read
      .selectFrom('activity_user')
      .select('id')
      .where(hasText([sql.ref('name'), sql.ref('email')], words))
      .limit(maxUsers)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** The newest. */
  async #notes(
    words: string,
    { userId, from, until }: LogFilter,
    limit: number,
  ): Promise<string[]> {
    // Ids of entries have the time in them.
    const rows = await this.#read
      .selectFrom('activity_note')
      .select('entry_id')
      .where(hasFolded(sql.ref('words'), words))
      .$if(userId !== null, (notes) => notes.where('user_id', '=', userId))
      .$if(from !== null, (notes) => notes.where('entry_id', '>=', uuidFloor(from?.getTime() ?? 0)))
      .$if(until !== null, (notes) =>
        notes.where('entry_id', '<', uuidFloor(until?.getTime() ?? 0)),
      )
      .orderBy('entry_id', 'desc')
      .$if(limit !== Infinity, (notes) => notes.limit(limit))
      .execute();
    return rows.map(({ entry_id }) => entry_id);
  }

  /** The newest. */
  async #details(
    search: Search,
    { userId, from, until }: LogFilter,
    limit: number,
  ): Promise<string[]> {
    const rows = await this.#read
      .selectFrom('activity_detail')
      .select('entry_id')
      .where(hasDetails(search))
      .$if(userId !== null, (details) => details.where('user_id', '=', userId))
      .$if(from !== null, (details) =>
        details.where('entry_id', '>=', uuidFloor(from?.getTime() ?? 0)),
      )
      .$if(until !== null, (details) =>
        details.where('entry_id', '<', uuidFloor(until?.getTime() ?? 0)),
      )
      .orderBy('entry_id', 'desc')
      .$if(limit !== Infinity, (details) => details.limit(limit))
      .execute();
    return rows.map(({ entry_id }) => entry_id);
  }

  get #read(): Kysely<Tables> {
    return this.#db.read<Tables>();
  }
}

const idsWith = (objects: readonly NamedObject[], pattern: NamePattern): string[] =>
  objects.filter((object) => hasPattern(object.folded, pattern)).map(({ id }) => id);

function distinct(patterns: readonly NamePattern[]): NamePattern[] {
  const byText = new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern]));
  return [...byText.values()];
}

/** An index finds three letters and more. */
const shortest = 3;

function hasDetails({ words, digits, tokens }: Search): RawBuilder<boolean> {
  const any: RawBuilder<unknown>[] = tokens.flatMap(({ token, actions }) =>
    actions === null
      ? []
      : sql`tokens && ${[token]}::text[] and exists (
              select from audit_entry where id = entry_id and action = any(${[...actions]}::text[]))`,
  );
  // Those that count for all deeds at once. A field without words of its own stands under its name.
  const general = tokens.filter(({ actions }) => actions === null).map(({ token }) => token);
  const short = words.length < shortest ? [`=${foldedText(words)}`] : [];
  any.push(sql`tokens && ${[...general, words, ...short]}::text[]`);
  if (words.length >= shortest) any.push(hasFolded(sql.ref('words'), words));
  if (digits !== null) any.push(hasFolded(sql.ref('words'), digits));
  return sql<boolean>`(${sql.join(any, sql` or `)})`;
}

/** With more, so many entries match that the newest of the log are soon read. */
const few = 8;
export const fewIds = (ids: readonly string[]): boolean => ids.length <= few;
