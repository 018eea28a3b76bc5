import { sql, type Kysely } from 'kysely';

/**
 * Owners: faces and sightings (vectors), system (which pack serves). While models change, what has a vector of one
 * pack has one of another, too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['face_embedding', 'sighting_picture', 'stranger_reference', 'negative']) {
    await sql`
      alter table ${sql.table(table)}
        -- id@version; null: there is no other.
        add column other_pack text,
        -- Sealed as the row's own vector is, for the same place. Null: that pack finds no face here.
        add column other_vector bytea,
        add check (other_vector is null or other_pack is not null)`.execute(db);
    await sql`
      create index ${sql.ref(`${table}_of_another_pack`)} on ${sql.table(table)} (other_pack)
      where other_pack is not null`.execute(db);
    // What is planned by never needs to know vectors, and its samples would outlive them.
    await sql`alter table ${sql.table(table)} alter column other_vector set statistics 0`.execute(
      db,
    );
  }
  for (const table of ['face_embedding', 'sighting_picture']) {
    // The pack that cut the chip, id@version; null: the one of the row.
    await sql`alter table ${sql.table(table)} add column cut_by text`.execute(db);
  }
  await sql`
    create table model_state (
      -- One row.
      is_one          boolean primary key default true check (is_one),
      -- Packs are written id@version. Faces are compared by vectors of this one.
      serving         text not null,
      -- The one before it, while its vectors are kept.
      previous        text,
      switched_at     timestamptz,
      -- The one that is to serve, while vectors of it are made.
      preparing       text,
      started_at      timestamptz,
      started_by      uuid references app_user (id) on delete set null,
      total           bigint not null default 0,
      done            bigint not null default 0,
      failed          bigint not null default 0,
      -- How many photos may stop serving.
      accepted_losses bigint not null default 0,
      -- All is tried, and more would stop serving than somebody agreed to.
      is_waiting      boolean not null default false
    )`.execute(db);
}
