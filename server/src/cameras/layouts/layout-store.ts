import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { folded } from '#db/like.ts';

export interface LayoutRow {
  readonly id: string;
  /** Null: shared with everyone. */
  readonly owner_id: string | null;
  readonly name: string;
  readonly tiles_per_page: number;
  readonly tour_seconds: number | null;
  readonly revision: number;
  readonly updated_at: Date;
}

export interface TileRow {
  readonly camera_id: string;
  readonly is_pinned: boolean;
}

export interface ListedLayout extends LayoutRow {
  /** In their order, without those of deleted cameras. */
  readonly tiles: TileRow[];
}

export type LayoutChange = Omit<LayoutRow, 'id' | 'revision'>;

interface Tables {
  wall_layout: LayoutRow;
  wall_tile: TileRow & { readonly layout_id: string; readonly place: number };
}

/** SQL of layouts of the wall; the only writer of their tables. */
export class LayoutStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** A user's own layouts and the shared ones, by name; with `id` that one alone. */
  async list(userId: string, id?: string): Promise<ListedLayout[]> {
    const { rows } = await sql<ListedLayout>`
      select layout.*,
             coalesce(jsonb_agg(jsonb_build_object('camera_id', tile.camera_id,
                                                   'is_pinned', tile.is_pinned) order by tile.place)
                      filter (where camera.id is not null), '[]') as tiles
        from wall_layout layout
        left join wall_tile tile on tile.layout_id = layout.id
        left join camera on camera.id = tile.camera_id and camera.deleted_at is null
       where (layout.owner_id is null or layout.owner_id = ${userId})
         and ${id === undefined ? sql`true` : sql`layout.id = ${id}`}
       group by layout.id
       order by ${folded(sql`layout.name`)}, layout.id
    `.execute(this.#db.read());
    return rows;
  }

  /** The number of an account's layouts; null: of shared ones. */
  async countOf(tx: Tx, ownerId: string | null): Promise<number> {
    const { count } = await tx
      .as<Tables>()
      .selectFrom('wall_layout')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', 'is not distinct from', ownerId)
      .executeTakeFirstOrThrow();
    return count;
  }

  async add(tx: Tx, row: LayoutRow, tiles: readonly TileRow[]): Promise<void> {
    await tx.as<Tables>().insertInto('wall_layout').values(row).execute();
    await this.#putTiles(tx, row.id, tiles);
  }

  /** False if the layout does not exist, or has changed since that revision. */
  async change(
    tx: Tx,
    { id, revision }: Pick<LayoutRow, 'id' | 'revision'>,
    change: LayoutChange,
    tiles: readonly TileRow[],
  ): Promise<boolean> {
    const db = tx.as<Tables>();
    const changed = await db
      .updateTable('wall_layout')
      .set({ ...change, revision: revision + 1 })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return false;
    await db.deleteFrom('wall_tile').where('layout_id', '=', id).execute();
    await this.#putTiles(tx, id, tiles);
    return true;
  }

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.as<Tables>().deleteFrom('wall_layout').where('id', '=', id).execute();
  }

  async #putTiles(tx: Tx, layoutId: string, tiles: readonly TileRow[]): Promise<void> {
    if (tiles.length === 0) return;
    const rows = tiles.map(({ camera_id, is_pinned }, place) => ({
      layout_id: layoutId,
      camera_id,
      place,
      is_pinned,
    }));
    await tx.as<Tables>().insertInto('wall_tile').values(rows).execute();
  }
}
