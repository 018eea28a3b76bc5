import { sql } from 'kysely';
import type { Database, Tx } from '#db/database.ts';

/** What the people of one account add up to. */
export interface Held {
  readonly people: number;
  readonly photos: number;
  /** The stored size of photos and thumbnails. */
  readonly bytes: number;
}

/** SQL of what an account has enrolled. It reads the tables of people and photos and writes nothing. */
export class QuotaStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  of(userId: string): Promise<Held> {
    return held(this.#db.read(), userId);
  }

  /** Returns it and keeps others from adding to this account before `tx` ends. */
  async lock(tx: Tx, userId: string): Promise<Held> {
    const db = tx.as<unknown>();
    await sql`select pg_advisory_xact_lock(524, hashtext(${userId}))`.execute(db);
    return held(db, userId);
  }
}

/** Lengths are read from the row: photos lie outside of it, uncompressed. */
async function held(db: ReturnType<Tx['as']>, userId: string): Promise<Held> {
  const { rows } = await sql<Held>`
    select (select count(*) from person where created_by = ${userId}) as people,
           count(*) as photos,
           coalesce(sum(octet_length(photo) + octet_length(thumbnail)), 0) as bytes
      from face_image join person on person.id = face_image.person_id
     where person.created_by = ${userId}`.execute(db);
  return rows[0]!;
}
