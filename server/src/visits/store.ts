import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';
import { addChange, adding, type Change } from '#feed/feed.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import { longestVisitMs } from './recent-visits.ts';

export interface VisitRow {
  readonly id: string;
  readonly camera_id: string;
  readonly identity_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  /** How sure recognition was of `recognized_as`; null: nothing was compared. */
  readonly confidence: number | null;
  readonly quality: number;
  readonly deleted_at: Date | null;
  readonly recognized_as: string | null;
  readonly recognized_at: Date | null;
  readonly recognized_by: string | null;
}

/** The person whom recognition named, when, and by which models (id@version). */
export type RecognizedAs = Pick<VisitRow, 'recognized_as' | 'recognized_at' | 'recognized_by'>;

export const notRecognized: RecognizedAs = {
  recognized_as: null,
  recognized_at: null,
  recognized_by: null,
};

/** Where and when a visit is. */
export type VisitPlace = Pick<VisitRow, 'id' | 'camera_id' | 'started_at' | 'ended_at'>;

export interface PictureRow {
  readonly visit_id: string;
  readonly identity_id: string;
  readonly chip: Buffer;
  /** `id@version` of the pack that made the chip; null: the row's. */
  readonly cut_by: string | null;
  readonly pack_id: string;
  readonly pack_version: string;
  readonly template: Buffer;
  /** The attributes of the face; null: they were not enabled. */
  readonly attributes: Buffer | null;
  /** Where in the camera's picture it was cut out; null: that was not kept yet. */
  readonly place: PicturePlace | null;
  readonly other_pack: string | null;
  readonly other_vector: Buffer | null;
}

/** A picture without its visit and identity. */
export type SealedPicture = Omit<PictureRow, 'visit_id' | 'identity_id'>;

interface Tables {
  visit: VisitRow;
  visit_picture: PictureRow;
  faces_v_identity: { id: string; stranger_id: string; person_id: string | null };
}

/** `longestVisitMs` in SQL: a visit that reaches into a time began no longer before it, which the database checks, too. */
export const longestVisit = sql`${`${longestVisitMs} milliseconds`}::interval`;

/** SQL of visits; the only writer of their tables. Their counts are moved by triggers (migration 0058). */
export class VisitStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Writes a visit, unless it is there already, from a commit whose answer was lost. Returns whether it landed outside
   * of all months that were made. `change`: is added to the feed if the visit is new.
   */
  async add(
    tx: Tx,
    row: VisitRow,
    picture: PictureRow | null,
    change: Change | null = null,
  ): Promise<boolean> {
    const db = tx.as<Tables>();
    const added = await db
      .insertInto('visit')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning(sql<boolean>`tableoid = 'visit_default'::regclass`.as('is_outside'))
      .executeTakeFirst();
    if (!added) return false;
    if (picture) {
      const writing = change ? adding(db, change) : db;
      await writing.insertInto('visit_picture').values(picture).execute();
    } else if (change) await addChange(tx, change);
    return added.is_outside;
  }

  /** Returns an existing visit and locks it: a retry needs to know. */
  async locked(
    tx: Tx,
    { id, started_at }: Pick<VisitRow, 'id' | 'started_at'>,
  ): Promise<VisitRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('visit')
      .selectAll()
      .where('started_at', '=', started_at)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * No visit gets longer than the longest one, whatever end is given. The first recognition stays; of the same person
   * the surest match counts.
   */
  async extend(
    tx: Tx,
    { id, started_at }: Pick<VisitRow, 'id' | 'started_at'>,
    {
      ended_at,
      confidence,
      recognized_as,
      recognized_at,
      recognized_by,
    }: Pick<VisitRow, 'ended_at' | 'confidence'> & RecognizedAs,
  ): Promise<VisitRow | null> {
    const row = await tx
      .as<Tables>()
      .updateTable('visit')
      .set({
        ended_at: sql<Date>`least(greatest(ended_at, ${ended_at}), started_at + ${longestVisit})`,
        confidence: sql<number | null>`case
          when ${recognized_as}::uuid is null then confidence
          when recognized_as is null then ${confidence}::real
          when recognized_as = ${recognized_as}::uuid then greatest(confidence, ${confidence}::real)
          else confidence end`,
        recognized_at: sql<Date | null>`case
          when recognized_as is null then ${recognized_at}::timestamptz else recognized_at end`,
        recognized_by: sql<string | null>`case
          when recognized_as is null then ${recognized_by}::text else recognized_by end`,
        recognized_as: sql<string | null>`coalesce(recognized_as, ${recognized_as}::uuid)`,
      })
      .where('started_at', '=', started_at)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Returns the strangers in view of the same camera at the same time, by the log and by the visits named; `overIds`
   * had ended.
   */
  async strangersBeside(
    tx: Tx,
    { id, camera_id, started_at, ended_at }: VisitPlace,
    besideIds: readonly string[],
    overIds: readonly string[] = [],
  ): Promise<string[]> {
    const rows = await tx
      .as<Tables>()
      .selectFrom('visit')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
      .select('identity.stranger_id')
      .distinct()
      .where('camera_id', '=', camera_id)
      .where('visit.id', '<>', sql<string>`all(${[id, ...overIds]}::uuid[])`)
      .where('started_at', '<=', ended_at)
      .where('started_at', '>=', new Date(started_at.getTime() - longestVisitMs))
      .where((is) =>
        is.or([
          is('ended_at', '>=', started_at),
          is('visit.id', '=', sql<string>`any(${besideIds}::uuid[])`),
        ]),
      )
      .execute();
    return rows.map(({ stranger_id }) => stranger_id);
  }

  /**
   * Returns the newest of these visits before the given one that belongs to that stranger, under any of their
   * identities; locks it.
   */
  async newestOf(
    tx: Tx,
    strangerId: string,
    { camera_id, started_at }: VisitPlace,
    ids: readonly string[],
  ): Promise<VisitRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('visit')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
      .selectAll('visit')
      .where('camera_id', '=', camera_id)
      .where('started_at', '<', started_at)
      .where('started_at', '>=', new Date(started_at.getTime() - longestVisitMs))
      .where('visit.id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('identity.stranger_id', '=', strangerId)
      .where('identity.person_id', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('ended_at', 'desc')
      .forUpdate('visit')
      .limit(1)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Visits of this identity that began since then, the oldest first. */
  async ofIdentitySince(
    identityId: string,
    since: Date,
    limit: number,
  ): Promise<Pick<VisitRow, 'id' | 'started_at' | 'camera_id'>[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('visit')
      .select(['id', 'started_at', 'camera_id'])
      .where('identity_id', '=', identityId)
      .where('started_at', '>=', since)
      .where('deleted_at', 'is', null)
      .orderBy('started_at')
      .limit(limit)
      .execute();
  }

  async replacePicture(
    tx: Tx,
    { id, started_at }: Pick<VisitRow, 'id' | 'started_at'>,
    quality: number,
    picture: SealedPicture,
  ): Promise<void> {
    const db = tx.as<Tables>();
    await db
      .updateTable('visit')
      .set({ quality })
      .where('started_at', '=', started_at)
      .where('id', '=', id)
      .execute();
    await db.updateTable('visit_picture').set(picture).where('visit_id', '=', id).execute();
  }

  /** Moves a visit and its picture to another identity. */
  async reassign(
    tx: Tx,
    { id, started_at }: Pick<VisitRow, 'id' | 'started_at'>,
    to: Pick<VisitRow, 'identity_id' | 'confidence' | 'quality'> & {
      /** Null: none is stored. */
      picture: SealedPicture | null;
      /** Absent: what recognition said of it before stays known. */
      recognized?: RecognizedAs;
    },
  ): Promise<void> {
    const db = tx.as<Tables>();
    const { identity_id, confidence, quality } = to;
    const { numUpdatedRows } = await db
      .updateTable('visit')
      .set({ identity_id, confidence, quality, ...to.recognized })
      .where('started_at', '=', started_at)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    if (to.picture) {
      await db
        .updateTable('visit_picture')
        .set({ ...to.picture, identity_id })
        .where('visit_id', '=', id)
        .execute();
    } else await db.deleteFrom('visit_picture').where('visit_id', '=', id).execute();
  }

  /** Returns how many were not marked before. */
  async markDeleted(
    tx: Tx,
    visits: readonly Pick<VisitRow, 'id' | 'started_at'>[],
    at: Date,
  ): Promise<number> {
    if (visits.length === 0) return 0;
    const ids = visits.map(({ id }) => id);
    const starts = visits.map(({ started_at }) => started_at.toISOString());
    const { numAffectedRows = 0n } = await sql`
      update visit set deleted_at = ${at}
      from unnest(${ids}::uuid[], ${starts}::timestamptz[]) as going (id, started_at)
      where visit.id = going.id and visit.started_at = going.started_at
        and deleted_at is null`.execute(tx.as<Tables>());
    return Number(numAffectedRows);
  }

  async picture(visitId: string): Promise<(PictureRow & Pick<VisitRow, 'quality'>) | null> {
    const row = await this.#db
      .read<Tables>()
      .selectFrom('visit_picture')
      .innerJoin('visit', 'visit.id', 'visit_picture.visit_id')
      .selectAll('visit_picture')
      .select('visit.quality')
      .where('visit_picture.visit_id', '=', visitId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Makes the partition of a month, unless it is there. `until` is exclusive. */
  async ensurePartition(name: string, from: Date, until: Date): Promise<void> {
    await sql`
      create table if not exists ${sql.table(name)} partition of visit
      for values from (${sql.lit(from.toISOString())}) to (${sql.lit(until.toISOString())})
    `.execute(this.#db.write<Tables>());
  }
}
