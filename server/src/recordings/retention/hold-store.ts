import { sql } from 'kysely';
import type { HoldQuery } from '@nazar/contract/recording-plans.ts';
import type { Database, Tx } from '#db/database.ts';
import { pageOf, type Paged } from '#db/page.ts';

/** A row of `recording_segment` that may be removed; one that is still written may not, whatever this says. */
export const isNotHeld = sql<boolean>`not exists (
  select from recording_hold hold
   where hold.camera_id = recording_segment.camera_id
     and hold.started_at < recording_segment.ended_at
     and hold.ended_at > recording_segment.started_at)`;

/**
 * A row of `recording` of which a hold covers a moment that is recorded, or being recorded. It goes from the few holds
 * of the camera to their segments, not from each of hundreds of segments to the holds.
 */
export const isHeld = sql<boolean>`exists (
  select from recording_hold hold
   where hold.camera_id = recording.camera_id
     and hold.ended_at > recording.started_at
     and exists (
       select from recording_segment part
        where part.recording_id = recording.id
          and part.started_at < hold.ended_at
          and coalesce(part.ended_at, 'infinity') > hold.started_at))`;

export interface HoldRow {
  readonly id: string;
  readonly camera_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly reason: string;
  readonly created_by: string | null;
  readonly created_at: Date;
}

export type ListedHold = HoldRow & {
  readonly camera_name: string;
  /** Null: the account is gone. */
  readonly created_by_name: string | null;
};

interface Tables {
  recording_hold: HoldRow;
  cameras_v_camera: { id: string; name: string };
  app_user: { id: string; first_name: string; last_name: string };
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

  /** The newest first. */
  list({ camera, from, until, page, page_size }: HoldQuery): Promise<Paged<ListedHold>> {
    let rows = this.#named();
    if (camera !== undefined) rows = rows.where('recording_hold.camera_id', '=', camera);
    if (from !== undefined) rows = rows.where('recording_hold.ended_at', '>', new Date(from));
    if (until !== undefined) rows = rows.where('recording_hold.started_at', '<', new Date(until));
    const ordered = rows.orderBy('recording_hold.created_at', 'desc').orderBy('recording_hold.id');
    return pageOf(ordered, { page, pageSize: page_size });
  }

  read(id: string): Promise<ListedHold> {
    return this.#named().where('recording_hold.id', '=', id).executeTakeFirstOrThrow();
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

  #named() {
    return this.#db
      .read<Tables>()
      .selectFrom('recording_hold')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'recording_hold.camera_id')
      .leftJoin('app_user', 'app_user.id', 'recording_hold.created_by')
      .selectAll('recording_hold')
      .select('camera.name as camera_name')
      .select(
        sql<string | null>`trim(app_user.first_name || ' ' || app_user.last_name)`.as(
          'created_by_name',
        ),
      );
  }
}
