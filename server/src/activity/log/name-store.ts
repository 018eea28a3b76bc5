import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#db/database.ts';
import { folded, likePattern } from '#db/like.ts';
import { ownOrListed } from '#db/own-or-listed.ts';
import type { LogRow, NamePattern, NameReader } from './rows.ts';

interface Tables {
  activity_object: {
    readonly type: string;
    readonly id: string;
    readonly name: string;
    readonly owner_id: string | null;
    /** False once the object is deleted and only its name is left. */
    readonly is_there: boolean;
  };
}

/** The name of an object, and whether it still exists. */
type NameOf = Pick<Tables['activity_object'], 'name' | 'is_there'>;

export interface NamedObject {
  readonly id: string;
  readonly folded: string;
}

/** A user who types a single letter searches for nothing in particular. */
const maxObjects = 1_000;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** SQL of the names of the objects of entries, for users who may read them: search and display share one rule. */
export class NameStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Names by type and id. */
  async of(
    reader: NameReader,
    rows: readonly Pick<LogRow, 'content_type' | 'object_id'>[],
  ): Promise<Map<string, NameOf>> {
    const ids = rows.flatMap(({ object_id: id }) => (id !== null && uuid.test(id) ? [id] : []));
    if (ids.length === 0) return new Map();
    const found = await this.#readable(reader)
      .select(['type', 'id', 'name', 'is_there'])
      .where(sql<boolean>`id = any(${[...new Set(ids)]}::uuid[])`)
      .execute();
    return new Map(
      found.map(({ type, id, name, is_there }) => [`${type} ${id}`, { name, is_there }]),
    );
  }

  /** The objects whose name matches one of these patterns. */
  async find(reader: NameReader, patterns: readonly NamePattern[]): Promise<NamedObject[]> {
    if (patterns.length === 0) return [];
    const likes = patterns.map(
      (pattern) =>
        sql`folded like ${folded(sql`${namePattern(pattern)}::text`)} collate "pg_c_utf8"`,
    );
    const names = this.#readable(reader).select(['id', folded(sql.ref('name')).as('folded')]);
    // Without the index each name is folded for each pattern: with that many, folding was most of the search's cost.
    const once = areIndexed(patterns) ? sql`not materialized` : sql`materialized`;
    const { rows } = await sql<NamedObject>`
      with names as ${once} (${names})
      select id, folded from names where ${sql.join(likes, sql` or `)} limit ${maxObjects}`.execute(
      this.#db.read<Tables>(),
    );
    return rows;
  }

  /** Administrators read all names; other users those of their own objects, of granted ones, and of categories. */
  #readable({ userId, seesAll, cameraIds }: NameReader) {
    const all = this.#db.read<Tables>().selectFrom('activity_object');
    if (seesAll) return all;
    const own = ownOrListed(userId, cameraIds, { owner: 'owner_id', id: 'id' });
    return all.where(
      sql<boolean>`(type = 'face_category' or ${own} and (is_there or owner_id = ${userId}))`,
    );
  }
}

/** An index finds three letters or more; many patterns are searched for in one reading. */
const shortestIndexed = 3;
const mostIndexed = 4;

const areIndexed = (patterns: readonly NamePattern[]): boolean =>
  patterns.length <= mostIndexed && patterns.every(({ text }) => text.length >= shortestIndexed);

export const hasPart = (name: RawBuilder<unknown>, pattern: NamePattern): RawBuilder<boolean> =>
  sql<boolean>`${folded(name)} like ${folded(sql`${namePattern(pattern)}::text`)}`;

const namePattern = ({ text, begins, ends }: NamePattern): string =>
  likePattern(text).slice(begins ? 1 : 0, ends ? -1 : undefined);
