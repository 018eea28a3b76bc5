import { sql, type Kysely } from 'kysely';

/** Owner: accounts. People with one name exist, and providers that tell no more of somebody than that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table app_user
      drop constraint app_user_last_name_check,
      add constraint app_user_last_name_check check (length(last_name) <= 150)`.execute(db);
}
