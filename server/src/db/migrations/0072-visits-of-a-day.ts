import { sql, type Kysely } from 'kysely';
import { uuidv7 } from '#lib/ids.ts';

const longestMs = 24 * 60 * 60_000;
const rowsAtOnce = 1_000;

interface Visit {
  readonly id: string;
  readonly camera_id: string;
  readonly identity_id: string;
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly confidence: number;
  readonly quality: number;
  readonly deleted_at: Date | null;
}

/**
 * Owner: sightings. A visit lasts 24 hours at most, and the database keeps it: whatever looks for the visits of a time
 * reads no further back. Longer ones of before become several of the same identity; the picture stays with the first.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<Visit>`
    select id, camera_id, identity_id, started_at, ended_at, confidence, quality, deleted_at
      from sighting where ended_at - started_at > interval '24 hours'`.execute(db);
  await sql`
    update sighting set ended_at = started_at + interval '24 hours'
     where ended_at - started_at > interval '24 hours'`.execute(db);
  let parts: Visit[] = [];
  for (const visit of rows) {
    for (const part of furtherParts(visit)) {
      parts.push(part);
      if (parts.length < rowsAtOnce) continue;
      await add(db, parts);
      parts = [];
    }
  }
  if (parts.length > 0) await add(db, parts);
  await sql`
    alter table sighting add constraint sighting_lasts_a_day
      check (ended_at - started_at <= interval '24 hours')`.execute(db);
}

/** Each begins a millisecond after the one before ends: they are not in view at once. */
function* furtherParts(visit: Visit): Generator<Visit> {
  const stepMs = longestMs + 1;
  const endMs = visit.ended_at.getTime();
  for (let atMs = visit.started_at.getTime() + stepMs; atMs <= endMs; atMs += stepMs) {
    const ended_at = new Date(Math.min(endMs, atMs + longestMs));
    yield { ...visit, id: uuidv7(atMs), started_at: new Date(atMs), ended_at };
  }
}

async function add(db: Kysely<unknown>, visits: readonly Visit[]): Promise<void> {
  await sql`
    insert into sighting (id, camera_id, identity_id, started_at, ended_at, confidence, quality, deleted_at)
    select * from unnest(${visits.map(({ id }) => id)}::uuid[],
      ${visits.map(({ camera_id }) => camera_id)}::uuid[],
      ${visits.map(({ identity_id }) => identity_id)}::uuid[],
      ${visits.map(({ started_at }) => started_at)}::timestamptz[],
      ${visits.map(({ ended_at }) => ended_at)}::timestamptz[],
      ${visits.map(({ confidence }) => confidence)}::real[],
      ${visits.map(({ quality }) => quality)}::real[],
      ${visits.map(({ deleted_at }) => deleted_at)}::timestamptz[])`.execute(db);
}
