import { sql, type Kysely, type RawBuilder } from 'kysely';
import { uuidFloor } from '#lib/ids.ts';
import type { Database, Tx } from '#db/database.ts';

interface Tables {
  visit: { id: string; camera_id: string; identity_id: string; started_at: Date };
  visit_picture: { visit_id: string; identity_id: string };
  cameras_v_camera: { id: string; created_by: string | null };
  faces_v_identity: { id: string; person_id: string | null; is_readable: boolean };
  faces_v_person: { id: string; created_at: Date };
}

type LockedVisit = Pick<Tables['visit'], 'id' | 'started_at' | 'identity_id'>;

/** SQL of erasing visits; it writes the tables of VisitStore. */
export class VisitErasingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async removePictures(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    if (identityIds.length === 0) return 0;
    const db = tx.as<Tables>();
    await byIndex(db);
    const { numAffectedRows = 0n } = await sql`
      delete from visit_picture where visit_id = any(array(
        select visit_id from visit_picture
        where identity_id = any(${identityIds}::uuid[]) limit ${limit}
      ))`.execute(db);
    return Number(numAffectedRows);
  }

  /** The person is erased: `counted_as` of their identities is still their id. */
  async forgetRecognized(tx: Tx, personId: string, limit: number): Promise<number> {
    const visits = await this.#locked(tx, sql`recognized_as = ${personId}`, limit);
    if (visits.length === 0) return 0;
    await sql`
      update visit set
        recognized_as = case when is_theirs then visit.identity_id end,
        recognized_at = case when is_theirs then visit.recognized_at end,
        recognized_by = case when is_theirs then visit.recognized_by end,
        confidence = case when is_theirs then visit.confidence end
      from (
        select going.*, is_known and coalesce(counted_as = ${personId}, false) as is_theirs
        from (${asRows(visits)}) as going join faces_v_identity identity on identity.id = identity_id
      ) as going
      where ${isAmong(visits)}`.execute(tx.as<Tables>());
    return visits.length;
  }

  /** Some visits for which this is so, locked until `tx` ends. */
  async #locked(tx: Tx, isSo: RawBuilder<unknown>, limit: number): Promise<LockedVisit[]> {
    const db = tx.as<Tables>();
    await byIndex(db);
    const { rows } = await sql<LockedVisit>`
      select started_at, id, identity_id from visit where ${isSo} limit ${limit} for update`.execute(
      db,
    );
    return rows;
  }

  async removeVisits(tx: Tx, identityIds: readonly string[], limit: number): Promise<number> {
    if (identityIds.length === 0) return 0;
    const visits = await this.#locked(tx, sql`identity_id = any(${identityIds}::uuid[])`, limit);
    if (visits.length === 0) return 0;
    await sql`
      delete from visit using (${asRows(visits)}) as going where ${isAmong(visits)}`.execute(
      tx.as<Tables>(),
    );
    return visits.length;
  }

  async removeUnreadable(tx: Tx, limit: number): Promise<number> {
    const db = tx.as<Tables>();
    const removed = await db
      .deleteFrom('visit_picture')
      .where('visit_id', 'in', (is) =>
        is
          .selectFrom('visit_picture as picture')
          .innerJoin('faces_v_identity as identity', 'identity.id', 'picture.identity_id')
          .select('picture.visit_id')
          .where('identity.is_readable', '=', false)
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(removed.numDeletedRows);
  }

  async strangersAtCamerasOf(userId: string, limit: number): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('visit')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'visit.camera_id')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
      .select('visit.identity_id')
      .distinct()
      .where('camera.created_by', '=', userId)
      .where('identity.person_id', 'is', null)
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('visit as other')
              .innerJoin('cameras_v_camera as elsewhere', 'elsewhere.id', 'other.camera_id')
              .select('other.id')
              .whereRef('other.identity_id', '=', 'visit.identity_id')
              .where('elsewhere.created_by', 'is distinct from', userId),
          ),
        ),
      )
      .limit(limit)
      .execute();
    return rows.map(({ identity_id }) => identity_id);
  }

  async strangerVisitsAtCamerasOf(
    userId: string,
    limit: number,
  ): Promise<{ id: string; started_at: Date }[]> {
    return this.#db
      .read<Tables>()
      .selectFrom('visit')
      .innerJoin('cameras_v_camera as camera', 'camera.id', 'visit.camera_id')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
      .select(['visit.id', 'visit.started_at'])
      .where('camera.created_by', '=', userId)
      .where('identity.person_id', 'is', null)
      .limit(limit)
      .execute();
  }

  async removeStrangerPictures(tx: Tx, before: Date, limit: number): Promise<number> {
    const floor = uuidFloor(before.getTime());
    const removed = await tx
      .as<Tables>()
      .deleteFrom('visit_picture')
      .where('visit_id', 'in', (is) =>
        is
          .selectFrom('visit_picture as picture')
          .innerJoin('faces_v_identity as identity', 'identity.id', 'picture.identity_id')
          .select('picture.visit_id')
          .where('picture.visit_id', '<', floor)
          .where('identity.person_id', 'is', null)
          .limit(limit),
      )
      .executeTakeFirst();
    return Number(removed.numDeletedRows);
  }

  /** Returns how many pictures went with it. */
  async removeVisit(tx: Tx, { id, started_at }: { id: string; started_at: Date }): Promise<number> {
    const db = tx.as<Tables>();
    const { numDeletedRows } = await db
      .deleteFrom('visit_picture')
      .where('visit_id', '=', id)
      .executeTakeFirst();
    await db
      .deleteFrom('visit')
      .where('started_at', '=', started_at)
      .where('id', '=', id)
      .execute();
    return Number(numDeletedRows);
  }

  /** Ids of visits contain the time, so that the oldest pictures are found without their visits. */
  async strangersBefore(before: Date, limit: number): Promise<string[]> {
    const floor = uuidFloor(before.getTime());
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('visit_picture as picture')
      .innerJoin('faces_v_identity as identity', 'identity.id', 'picture.identity_id')
      .select('picture.identity_id')
      .distinct()
      .where('picture.visit_id', '<', floor)
      .where('identity.person_id', 'is', null)
      .where('identity.is_readable', '=', true)
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('visit_picture as younger')
              .select('younger.visit_id')
              .whereRef('younger.identity_id', '=', 'picture.identity_id')
              .where('younger.visit_id', '>=', floor),
          ),
        ),
      )
      .limit(limit)
      .execute();
    return rows.map(({ identity_id }) => identity_id);
  }

  /** Drops whole months, and counts again what of that time waits in the default partition. */
  async dropMonths(before: Date): Promise<string[]> {
    const month = `visit_${before.toISOString().slice(0, 7).replace('-', '_')}`;
    const firstOfMonth = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1));
    return this.#db.transaction(async (tx) => {
      const db = tx.as<Tables>();
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = 'visit'::regclass and relname ~ '^visit_[0-9]{4}_[0-9]{2}$'
          and relname < ${month}
        order by relname`.execute(db);
      for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(db);
      if (rows.length > 0) await sql`select visit_recount(${firstOfMonth})`.execute(db);
      return rows.map(({ name }) => name);
    });
  }

  async removeBefore(
    tx: Tx,
    before: Date,
    limit: number,
  ): Promise<{ visits: number; pictures: number }> {
    const db = tx.as<Tables>();
    const { numAffectedRows: visits = 0n } = await sql`
      delete from visit using (
        select started_at, id from visit where started_at < ${before} limit ${limit}
      ) as old where visit.started_at = old.started_at and visit.id = old.id`.execute(db);
    const floor = uuidFloor(before.getTime());
    const { numAffectedRows: pictures = 0n } = await sql`
      delete from visit_picture where visit_id in (
        select visit_id from visit_picture where visit_id < ${floor}::uuid limit ${limit}
      )`.execute(db);
    return { visits: Number(visits), pictures: Number(pictures) };
  }

  async unseenSince(since: Date, limit: number): Promise<string[]> {
    const rows = await this.#db
      .read<Tables>()
      .selectFrom('faces_v_person as person')
      .select('person.id')
      .where('person.created_at', '<', since)
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('visit')
              .innerJoin('faces_v_identity as identity', 'identity.id', 'visit.identity_id')
              .select('visit.id')
              .whereRef('identity.person_id', '=', 'person.id')
              .where('visit.started_at', '>=', since),
          ),
        ),
      )
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}

/**
 * For a person who came very often the planner assumes that a sequential read finds a batch soon: it would read
 * again all that earlier batches have handled. With 100,000 visits in 600,000 a batch of 1,000 took 160 ms that way.
 */
async function byIndex(db: Kysely<Tables>): Promise<void> {
  await sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
    db,
  );
}

const asRows = (visits: readonly LockedVisit[]): RawBuilder<unknown> => sql`
  select * from unnest(${visits.map(({ id }) => id)}::uuid[],
                       ${visits.map(({ identity_id }) => identity_id)}::uuid[]) as going (id, identity_id)`;

/**
 * Whether it is one of these; between their first and last, so that months without any are not searched: each would be
 * read as a whole.
 */
function isAmong(visits: readonly LockedVisit[]): RawBuilder<unknown> {
  const startsMs = visits.map(({ started_at }) => started_at.getTime());
  // Moments are finer in the database.
  const [first, end] = [new Date(Math.min(...startsMs)), new Date(Math.max(...startsMs) + 1)];
  return sql`visit.id = going.id
    and visit.started_at >= ${first} and visit.started_at < ${end}`;
}
