import { sql, type Kysely } from 'kysely';

/** Owner: db. The key from which all others are derived, in one row that the master key opens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table root_key (
      only_row  boolean primary key default true check (only_row),
      -- Sealed by the master key for root_key.sealed.
      sealed    bytea not null,
      sealed_at timestamptz not null
    )`.execute(db);
}
