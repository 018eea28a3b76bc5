import { sql, type Kysely } from 'kysely';

/** Owner: privacy. On what grounds somebody is recognised, and when age was last looked after. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a row nothing was recorded.
  await sql`
    create table consent (
      person_id   uuid primary key references person (id) on delete cascade,
      basis       text not null check (basis in ('consent', 'contract', 'legal_obligation',
                    'vital_interests', 'public_task', 'legitimate_interests')),
      obtained_at date not null,
      -- From this day on (UTC) they are not recognised; null: it does not end.
      expires_at  date check (expires_at > obtained_at),
      -- Where the paper is, in the keeper's own words.
      document    text not null default '' check (length(document) <= 300),
      -- No foreign key: it outlives the account.
      recorded_by uuid not null,
      recorded_at timestamptz not null
    )`.execute(db);
  await sql`alter table consent alter column document set statistics 0`.execute(db);

  await sql`
    create table retention_run (
      only_row   boolean primary key default true check (only_row),
      -- When what was too old was last removed.
      ran_at     timestamptz,
      -- The latest hour that was believed: a clock far ahead of it is not believed at once (R-15).
      believed_at timestamptz not null
    )`.execute(db);
}
