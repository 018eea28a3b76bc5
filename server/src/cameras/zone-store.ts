import { sql } from 'kysely';
import type { ZoneKind } from '@nazar/contract/zones.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ZoneRow {
  readonly id: string;
  readonly camera_id: string;
  readonly kind: ZoneKind;
  readonly name: string;
  readonly points: [number, number][];
  readonly place: number;
}

interface Tables {
  camera_zone: ZoneRow;
  camera: {
    id: string;
    created_by: string | null;
    rotation: Rotation;
    had_sub_stream: boolean;
  };
}

type Rotation = 0 | 90 | 180 | 270;

/** What a decision about masks needs to know of a camera. */
export interface MaskedCamera {
  readonly id: string;
  readonly created_by: string | null;
  readonly has_masks: boolean;
}

/** A privacy mask with what a decision about it needs to know of its camera. */
export interface MaskRow extends Pick<ZoneRow, 'camera_id' | 'points'> {
  readonly created_by: string | null;
  readonly rotation: Rotation;
  readonly had_sub_stream: boolean;
}

/** SQL of zones; the only writer of their table. */
export class ZoneStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  /** The zones of one camera, or of all cameras. */
  list(cameraId?: string): Promise<ZoneRow[]> {
    const all = this.#db.read<Tables>().selectFrom('camera_zone').selectAll();
    const some = cameraId === undefined ? all : all.where('camera_id', '=', cameraId);
    return some.orderBy('camera_id').orderBy('place').execute();
  }

  /** Returns those that were there before. */
  async replace(
    tx: Tx,
    cameraId: string,
    rows: readonly ZoneRow[],
  ): Promise<Pick<ZoneRow, 'kind'>[]> {
    const db = tx.as<Tables>();
    const before = await db
      .deleteFrom('camera_zone')
      .where('camera_id', '=', cameraId)
      .returning('kind')
      .execute();
    if (rows.length === 0) return before;
    const values = rows.map((row) => ({
      ...row,
      points: sql<[number, number][]>`${JSON.stringify(row.points)}::jsonb`,
    }));
    await db.insertInto('camera_zone').values(values).execute();
    return before;
  }

  /** The privacy masks of these cameras, or of all, deleted ones included: their recordings are still there. */
  masks(cameraIds?: readonly string[]): Promise<MaskRow[]> {
    const all = this.#db
      .read<Tables>()
      .selectFrom('camera_zone as zone')
      .innerJoin('camera', 'camera.id', 'zone.camera_id')
      .select(['zone.camera_id', 'zone.points', 'camera.created_by', 'camera.rotation'])
      .select('camera.had_sub_stream')
      .where('zone.kind', '=', 'privacy');
    const some =
      cameraIds === undefined
        ? all
        : all.where('zone.camera_id', '=', sql<string>`any(${cameraIds}::uuid[])`);
    return some.orderBy('zone.camera_id').orderBy('zone.place').execute();
  }

  /**
   * `had_sub_stream`: recordings that do not say of which picture they are may be of a sub-stream. Null where there never
   * was such a camera.
   */
  async pictured(
    cameraId: string,
  ): Promise<{ readonly rotation: Rotation; readonly had_sub_stream: boolean } | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('camera')
      .select(['rotation', 'had_sub_stream'])
      .where('id', '=', cameraId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Also of a camera that is deleted, whose recordings are still there. Null where there never was one. */
  async masked(cameraId: string): Promise<MaskedCamera | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('camera')
      .select(['id', 'created_by'])
      .select(
        sql<boolean>`exists (select from camera_zone zone
          where zone.camera_id = camera.id and zone.kind = 'privacy')`.as('has_masks'),
      )
      .where('id', '=', cameraId)
      .executeTakeFirst();
    return row ?? null;
  }
}
