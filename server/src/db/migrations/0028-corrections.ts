import { sql, type Kysely } from 'kysely';

/** Owner: faces. What people said of strangers, with how it was before, so that it can be taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table correction (
      id            uuid primary key,
      kind          text not null check (kind in ('identify', 'merge', 'split')),
      -- Who they were identified as. Whoever is erased leaves nothing to take back.
      person_id     uuid references person (id) on delete cascade,
      -- That person was added with it.
      is_new_person boolean not null default false,
      -- The photo they got by it; no foreign key: it may be removed before.
      image_id      uuid,
      created_at    timestamptz not null,
      undone_at     timestamptz,
      check ((kind = 'identify') = (person_id is not null))
    )`.execute(db);
  await sql`create index correction_of_person on correction (person_id)`.execute(db);
  await sql`
    create table correction_part (
      correction_id uuid not null references correction (id) on delete cascade,
      identity_id   uuid not null references identity (id) on delete cascade,
      -- As they were before.
      status        text not null,
      merged_into   uuid,
      primary key (correction_id, identity_id)
    )`.execute(db);
  await sql`create index correction_part_of_identity on correction_part (identity_id)`.execute(db);

  // What can be taken back of a stranger, newest last by id.
  await sql`
    create view faces_v_correction as
      select coalesce(identity.merged_into, identity.id) as stranger_id,
             correction.id, correction.kind, correction.created_at
      from correction
      join correction_part part on part.correction_id = correction.id
      join identity on identity.id = part.identity_id
      where correction.undone_at is null`.execute(db);
}
