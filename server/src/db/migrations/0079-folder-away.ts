import { sql, type Kysely } from 'kysely';

/** Owner: activity. A recording folder that is not there is a warning of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table security_warning drop constraint security_warning_kind_check,
      add constraint security_warning_kind_check check (kind in
        ('record_broken', 'session_stolen', 'many_denials', 'key_new_address', 'disk_low', 'disk_full',
         'folder_away', 'folder_hung', 'camera_down', 'person_matched', 'models_changed', 'models_waiting'))`.execute(
    db,
  );
}
