import type { Database, Tx } from '#db/database.ts';

export interface CategoryRow {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly created_at: Date;
}

interface Tables {
  face_category: CategoryRow;
}

/** SQL of categories; the only writer of that table. */
export class CategoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns them in the order they were added. */
  list(): Promise<CategoryRow[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('face_category')
      .selectAll()
      .orderBy('created_at')
      .orderBy('name')
      .execute();
  }

  /** False when the name is taken, whatever its letters' case. */
  async add(tx: Tx, row: CategoryRow): Promise<boolean> {
    const added = await tx
      .as<Tables>()
      .insertInto('face_category')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async has(id: string): Promise<boolean> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('face_category')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }
}
