/**
 * Makes the most popular person and the most frequent stranger more so: visits of others become theirs, before anything
 * is counted. The stranger keeps no visit at which the person was in view, so that the search for a moment when both
 * were in view reads all of them.
 */
import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { inBulk, vacuum } from './fill.ts';
import { popular } from './uneven-visits.ts';

export async function fillPopular(
  db: Database,
  { people, theirs, unknown }: { people: number; theirs: number; unknown: number },
): Promise<void> {
  const { personId, strangerId } = popular;
  const whose = sql`(select id from identity where person_id = ${personId} and number is null)`;
  const stranger = strangerId(people);
  await inBulk(db, async (tx) => {
    await sql`
      update visit set identity_id = ${whose}, recognized_as = ${personId}
      where id in (select id from visit where recognized_as is not null and recognized_as <> ${personId}
                   order by hashint8(hashtext(id::text)) limit ${theirs})`.execute(tx);
    await sql`
      update visit set identity_id = ${stranger}
      where id in (select id from visit where recognized_as is null
                   order by hashint8(hashtext(id::text)) limit ${unknown})`.execute(tx);
    await sql`
      delete from visit one using visit other
      where one.identity_id = ${stranger} and other.identity_id = ${whose}
        and other.camera_id = one.camera_id and other.started_at <= one.ended_at
        and other.ended_at >= one.started_at and other.started_at >= one.started_at - interval '1 day'`.execute(
      tx,
    );
    // A face and its vector do not get smaller: 4 kB out of 4 MB that look random.
    await sql`
      create temporary table noise on commit drop as
      select string_agg(sha512(n::text::bytea), ''::bytea) as bytes from generate_series(1, 65536) n`.execute(
      tx,
    );
    await sql`
      insert into visit_picture (visit_id, identity_id, chip, pack_id, pack_version, template)
      select visit.id, identity_id, substr(bytes, 1 + (row_number() over ())::int * 29 % 4000000, 4000),
             'pack', '1', substr(bytes, 1 + (row_number() over ())::int * 31 % 4000000, 540)
      from visit, noise where identity_id = ${whose}`.execute(tx);
  });
  await vacuum(db, 'visit', 'visit_picture');
}
