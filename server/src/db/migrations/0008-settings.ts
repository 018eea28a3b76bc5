import { sql, type Kysely } from 'kysely';

/** Owner: settings. What an administrator changed of the installation; what nobody changed has no row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table setting (
      -- A section of contract/src/settings.ts.
      section    text primary key check (section ~ '^[a-z]+$'),
      -- Fields of that section; those that are missing have their default.
      value      jsonb not null check (jsonb_typeof(value) = 'object'),
      changed_at timestamptz not null
    )`.execute(db);
}
