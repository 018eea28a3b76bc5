import { sql } from 'kysely';
import type { QuarterTurn } from '@nazar/contract/polygon.ts';
import type { ZoneKind } from '@nazar/contract/zones.ts';
import type { Database, Tx } from '#db/database.ts';

export interface ZoneRow {
  readonly id: string;
  readonly camera_id: string;
  readonly kind: ZoneKind;
  readonly name: string;
  readonly points: [number, number][];
  readonly place: number;
  /** The angles by which it may have to be turned clockwise: all these places count. */
  readonly turns: QuarterTurn[];
}

interface Tables {
  camera_zone: ZoneRow;
  camera: {
    id: string;
    created_by: string | null;
    rotation: Rotation;
    had_sub_stream: boolean;
    turned_by: QuarterTurn[];
    turned_until: Date | null;
  };
}

/** The facts about a camera that its recordings need. */
export type PicturedCamera = Pick<
  Tables['camera'],
  'rotation' | 'had_sub_stream' | 'turned_by' | 'turned_until'
>;

type Rotation = QuarterTurn;

/** The facts about a camera that a decision about masks needs. */
export interface MaskedCamera {
  readonly id: string;
  readonly created_by: string | null;
  readonly has_masks: boolean;
}

/** A privacy mask with the facts about its camera that a decision needs. */
export interface MaskRow
  extends Pick<ZoneRow, 'camera_id' | 'points' | 'turns'>, Readonly<PicturedCamera> {
  readonly created_by: string | null;
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

  /** Which of these cameras have a zone that may be in several places. */
  async turnedAmong(cameraIds: readonly string[]): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('camera_zone')
      .select('camera_id')
      .distinct()
      .where('camera_id', '=', sql<string>`any(${cameraIds}::uuid[])`)
      .where(sql<boolean>`cardinality(turns) > 1`)
      .execute();
    return rows.map(({ camera_id }) => camera_id);
  }

  /** Returns the earlier zones. */
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

  /** The row on which a camera's zones depend, locked until the transaction ends; null if there is none. */
  async locked(tx: Tx, cameraId: string): Promise<PicturedCamera | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('camera')
      .select(['rotation', 'had_sub_stream', 'turned_by', 'turned_until'])
      .where('id', '=', cameraId)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /** The zones of a camera may be turned by any of these, in addition to the earlier turns. */
  async turnZones(tx: Tx, cameraId: string, turns: readonly QuarterTurn[]): Promise<void> {
    await sql`
      update camera_zone set turns = array(
        select distinct ((before + more) % 360)::smallint as turn
        from unnest(turns) as before, unnest(${turns}::smallint[]) as more
        order by turn)
      where camera_id = ${cameraId}`.execute(tx.as<Tables>());
  }

  async setTurned(
    tx: Tx,
    cameraId: string,
    turned: Partial<Pick<PicturedCamera, 'turned_by' | 'turned_until'>>,
  ): Promise<void> {
    await tx.as<Tables>().updateTable('camera').set(turned).where('id', '=', cameraId).execute();
  }

  /** The privacy masks of these cameras, or of all, deleted ones included: their recordings are still there. */
  masks(cameraIds?: readonly string[]): Promise<MaskRow[]> {
    const all = this.#db
      .read<Tables>()
      .selectFrom('camera_zone as zone')
      .innerJoin('camera', 'camera.id', 'zone.camera_id')
      .select([
        'zone.camera_id',
        'zone.points',
        'zone.turns',
        'camera.created_by',
        'camera.rotation',
        'camera.had_sub_stream',
        'camera.turned_by',
        'camera.turned_until',
      ])
      .where('zone.kind', '=', 'privacy');
    const some =
      cameraIds === undefined
        ? all
        : all.where('zone.camera_id', '=', sql<string>`any(${cameraIds}::uuid[])`);
    return some.orderBy('zone.camera_id').orderBy('zone.place').execute();
  }

  /**
   * `had_sub_stream`: recordings that do not say which stream they are from may be from a sub-stream. Null if there
   * never was such a camera.
   */
  async pictured(cameraId: string): Promise<PicturedCamera | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('camera')
      .select(['rotation', 'had_sub_stream', 'turned_by', 'turned_until'])
      .where('id', '=', cameraId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Also for a deleted camera, whose recordings still exist. Null if there never was one. */
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
