import { sql, type Kysely } from 'kysely';

/** Owner: system. The least level of a source's lines that the system log keeps, where somebody chose one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table system_log_level (
      source      text primary key check (length(source) <= 40),
      level       text not null check (level in ('error', 'warning', 'info', 'debug')),
      -- When debug ends and info is kept again: nobody has to remember it.
      debug_until timestamptz check ((level = 'debug') = (debug_until is not null))
    )`.execute(db);
}
