import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { unseenMs } from './history.ts';

const dayMs = 24 * 60 * 60_000;

/** SQL of how long cameras were online, by their history. The caller checks who may see a camera. */
export class OnlineStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Seconds of the last 24 h in which the main stream was live, by camera; a camera without a history is left out. A
   * state lasts until the next one; the newest lasts until now or, if not confirmed lately, until its confirmation.
   */
  async lastDay(cameraIds: readonly string[], now: Date): Promise<ReadonlyMap<string, number>> {
    if (cameraIds.length === 0) return new Map();
    const from = new Date(now.getTime() - dayMs);
    const confirmed = new Date(now.getTime() - unseenMs);
    const { rows } = await sql<{ camera_id: string; seconds: number }>`
      select wanted.camera_id,
             round(coalesce(sum(greatest(0, extract(epoch from
               least(span.ended_at, ${now}::timestamptz) - greatest(span.started_at, ${from}::timestamptz))))
               filter (where span.state = 'live'), 0))::int as seconds
        from unnest(${cameraIds}::uuid[]) as wanted(camera_id)
       cross join lateral (
             select state, started_at,
                    coalesce(lead(started_at) over (order by started_at, id),
                             case when seen_at >= ${confirmed} then ${now}::timestamptz else seen_at end) as ended_at
               from camera_state
              where camera_state.camera_id = wanted.camera_id and part = 'main'
                and started_at >= coalesce(
                      (select max(before.started_at) from camera_state before
                        where before.camera_id = wanted.camera_id and before.part = 'main'
                          and before.started_at <= ${from}), ${from}::timestamptz)) span
       group by wanted.camera_id`.execute(this.#db.read());
    return new Map(rows.map(({ camera_id, seconds }) => [camera_id, seconds]));
  }
}
