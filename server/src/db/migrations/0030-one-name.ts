import { sql, type Kysely } from 'kysely';

/** Other programs register people by one name (APD-005); forms of ours go on asking for both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table person
      drop constraint person_last_name_check,
      add constraint person_last_name_check check (length(last_name) <= 150)
  `.execute(db);
}
