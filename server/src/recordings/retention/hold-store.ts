import type { Database, Tx } from '#db/database.ts';

export interface HoldRow {
  readonly id: string;
  readonly camera_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly reason: string;
  readonly created_by: string | null;
  readonly created_at: Date;
}

export type ListedHold = HoldRow & { readonly camera_name: string };

interface Tables {
  recording_hold: HoldRow;
  cameras_v_camera: { id: string; name: string };
}

/** SQL of holds. Only administrators use it, so there is no scope. */
export class HoldStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  list(): Promise<ListedHold[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_hold')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'recording_hold.camera_id')
      .selectAll('recording_hold')
      .select('camera.name as camera_name')
      .orderBy('recording_hold.created_at', 'desc')
      .orderBy('recording_hold.id')
      .execute();
  }

  async add(tx: Tx, row: HoldRow): Promise<void> {
    await tx.as<Tables>().insertInto('recording_hold').values(row).execute();
  }

  /** Returns what was removed; null when it did not exist. */
  async remove(tx: Tx, id: string): Promise<HoldRow | null> {
    const row = await tx
      .as<Tables>()
      .deleteFrom('recording_hold')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  }
}
