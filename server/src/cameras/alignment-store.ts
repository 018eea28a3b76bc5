import type { Database, Tx } from '#db/database.ts';

export interface AlignmentRow {
  readonly id: string;
  readonly camera_id: string;
  readonly pair: string;
  /** Null, all four together: the alignment of the pair was deleted. */
  readonly x: number | null;
  readonly y: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly is_confirmed: boolean;
  readonly confirmed_by: string | null;
  readonly aligned_at: Date;
}

/** `email`: of the user who confirmed it; null if none did, or the account is deleted. */
export type ListedAlignment = AlignmentRow & { readonly email: string | null };

interface Tables {
  camera_alignment: AlignmentRow;
  camera: { id: string; streams_id: string; deleted_at: Date | null };
  app_user: { id: string; email: string };
}

/** SQL of alignments; the only writer of their table. */
export class AlignmentStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** The alignments of one camera or of all, the oldest first. */
  list(cameraId?: string): Promise<ListedAlignment[]> {
    const all = this.#db
      .read<Tables>()
      .selectFrom('camera_alignment')
      .leftJoin('app_user', 'app_user.id', 'camera_alignment.confirmed_by')
      .selectAll('camera_alignment')
      .select('app_user.email');
    const some = cameraId === undefined ? all : all.where('camera_id', '=', cameraId);
    return some.orderBy('aligned_at').orderBy('camera_alignment.id').execute();
  }

  async add(tx: Tx, row: AlignmentRow): Promise<void> {
    await tx.as<Tables>().insertInto('camera_alignment').values(row).execute();
  }

  /** Identifies the addresses of a camera's streams; null if there is no such camera. */
  async streamsId(cameraId: string): Promise<string | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('camera')
      .select('streams_id')
      .where('id', '=', cameraId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row?.streams_id ?? null;
  }
}
