import { sql } from 'kysely';
import type { HistoryCause, HistoryPart, HistoryQuery } from '@nazar/contract/camera-history.ts';
import type { IngestState } from '@nazar/contract/cameras.ts';
import type { Database, Tx } from '#db/database.ts';
import { pageOf, type Paged } from '#db/page.ts';

export interface StateRow {
  readonly id: string;
  readonly camera_id: string;
  readonly part: HistoryPart;
  readonly state: IngestState;
  readonly cause: HistoryCause;
  readonly started_at: Date;
  readonly seen_at: Date;
}

/** Null: the state lasts. */
export type EndedState = StateRow & { readonly ended_at: Date | null };

interface Tables {
  camera_state: StateRow;
}

/** SQL of the history of cameras; the only writer of its table. The caller checks who may see a camera. */
export class HistoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.#db.transaction(work);
  }

  async last(tx: Tx, cameraId: string, part: HistoryPart): Promise<StateRow | null> {
    const row = await tx
      .as<Tables>()
      .selectFrom('camera_state')
      .selectAll()
      .where('camera_id', '=', cameraId)
      .where('part', '=', part)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  async add(tx: Tx, row: StateRow): Promise<void> {
    await tx.as<Tables>().insertInto('camera_state').values(row).execute();
  }

  async seen(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
    if (ids.length === 0) return;
    await tx
      .as<Tables>()
      .updateTable('camera_state')
      .set({ seen_at: at })
      .where('id', 'in', ids)
      .where('seen_at', '<', at)
      .execute();
  }

  /** Newest first. */
  list(cameraId: string, { page, page_size }: HistoryQuery): Promise<Paged<EndedState>> {
    const rows = this.#db
      .read<Tables>()
      .selectFrom('camera_state')
      .where('camera_id', '=', cameraId)
      .selectAll()
      .select(
        sql<Date | null>`lead(started_at) over (partition by part order by started_at, id)`.as(
          'ended_at',
        ),
      )
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc');
    return pageOf(rows, { page, pageSize: page_size });
  }

  /** Removes states that ended before that, and for each camera all but the newest `keep`. */
  async removeOld(before: Date, keep: number): Promise<number> {
    return await this.#db.transaction(async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        with ranked as (
          select id, row_number() over newest as number,
                 lead(started_at) over (partition by camera_id, part order by started_at, id) as ended_at
            from camera_state
          window newest as (partition by camera_id order by started_at desc, id desc))
        delete from camera_state using ranked
         where camera_state.id = ranked.id
           and ranked.ended_at is not null
           and (ranked.ended_at < ${before} or ranked.number > ${keep})`.execute(tx.as<Tables>());
      return Number(numAffectedRows);
    });
  }
}
