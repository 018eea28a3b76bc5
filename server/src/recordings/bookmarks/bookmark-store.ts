import { sql } from 'kysely';
import type { BookmarkQuery } from '@nazar/contract/bookmarks.ts';
import type { Database, Tx } from '#db/database.ts';
import { pageOf, type Paged } from '#db/page.ts';

export interface BookmarkRow {
  readonly id: string;
  readonly camera_id: string;
  readonly at: Date;
  readonly note: string;
  readonly created_by: string;
  readonly created_at: Date;
}

export type ListedBookmark = BookmarkRow & { readonly created_by_name: string };

interface Tables {
  recording_bookmark: BookmarkRow;
  app_user: { id: string; first_name: string; last_name: string };
}

/** SQL of bookmarks; whose camera it is was asked before. */
export class BookmarkStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** In the order of their moments. */
  list(cameraId: string, query: BookmarkQuery): Promise<Paged<ListedBookmark>> {
    const { from, until, page, page_size: pageSize } = query;
    const order = query.ordering === 'at' ? 'asc' : 'desc';
    let rows = this.#named().where('bookmark.camera_id', '=', cameraId);
    if (from !== undefined) rows = rows.where('bookmark.at', '>=', new Date(from));
    if (until !== undefined) rows = rows.where('bookmark.at', '<', new Date(until));
    const ordered = rows.orderBy('bookmark.at', order).orderBy('bookmark.id', order);
    return pageOf(ordered, { page, pageSize });
  }

  read(id: string): Promise<ListedBookmark> {
    return this.#named().where('bookmark.id', '=', id).executeTakeFirstOrThrow();
  }

  async countOf(tx: Tx, userId: string): Promise<number> {
    const { count } = await tx
      .as<Tables>()
      .selectFrom('recording_bookmark')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('created_by', '=', userId)
      .executeTakeFirstOrThrow();
    return count;
  }

  async add(tx: Tx, row: BookmarkRow): Promise<void> {
    await tx.as<Tables>().insertInto('recording_bookmark').values(row).execute();
  }

  /** Returns what was removed; null when it does not exist, or another account made it. `madeBy` null: any account. */
  async remove(tx: Tx, id: string, madeBy: string | null): Promise<BookmarkRow | null> {
    let rows = tx.as<Tables>().deleteFrom('recording_bookmark').where('id', '=', id);
    if (madeBy !== null) rows = rows.where('created_by', '=', madeBy);
    return (await rows.returningAll().executeTakeFirst()) ?? null;
  }

  #named() {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_bookmark as bookmark')
      .innerJoin('app_user', 'app_user.id', 'bookmark.created_by')
      .selectAll('bookmark')
      .select(
        sql<string>`trim(app_user.first_name || ' ' || app_user.last_name)`.as('created_by_name'),
      );
  }
}
