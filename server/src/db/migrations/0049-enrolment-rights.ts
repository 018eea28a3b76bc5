import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Owner: activity. What somebody enrolled counts by their rights, for as long as it is kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ended_account
      -- What the account was (contract: standings): the people it added are known until they are erased.
      add column standing text not null default 'user'`.execute(db);
  await sql`
    alter table security_warning drop constraint security_warning_kind_check,
      add constraint security_warning_kind_check check (kind in
        ('record_broken', 'session_stolen', 'many_denials', 'key_new_address', 'disk_low',
         'camera_down', 'person_matched'))`.execute(db);
}
