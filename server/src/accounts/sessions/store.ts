import { sql, type Kysely } from 'kysely';
import type { Database } from '#db/database.ts';
import type { SessionRow } from '../store.ts';

interface Tables {
  session: SessionRow;
  time_mark: { single: true; at: Date };
}

/** SQL of how long sessions live: when somebody last did something, and the time that never goes back. */
export class SessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get #write(): Kysely<Tables> {
    return this.#db.write<Tables>();
  }

  /** Never moves back: of two requests at once the later deed stands. */
  async touch(id: string, at: Date): Promise<void> {
    await this.#write
      .updateTable('session')
      .set({ last_active_at: at })
      .where('id', '=', id)
      .where('last_active_at', '<', at)
      .execute();
  }

  /** Sessions that have not ended, though their time is over or may be; null: of everybody. */
  overdueSessions(userId: string | null, expiredAt: Date, idleSince: Date): Promise<SessionRow[]> {
    const sessions = this.#db.read<Tables>().selectFrom('session').selectAll();
    return (userId === null ? sessions : sessions.where('user_id', '=', userId))
      .where('ended_at', 'is', null)
      .where((eb) =>
        eb.or([eb('expires_at', '<=', expiredAt), eb('last_active_at', '<=', idleSince)]),
      )
      .orderBy('last_active_at')
      .limit(1000)
      .execute();
  }

  /** The latest moment that any node judged by, this one included. */
  async raiseTimeMark(nowMs: number): Promise<number> {
    const at = new Date(nowMs);
    const { at: latest } = await this.#write
      .insertInto('time_mark')
      .values({ single: true, at })
      .onConflict((conflict) =>
        conflict
          .column('single')
          .doUpdateSet({ at: sql<Date>`greatest(time_mark.at, excluded.at)` }),
      )
      .returning('at')
      .executeTakeFirstOrThrow();
    return latest.getTime();
  }
}
