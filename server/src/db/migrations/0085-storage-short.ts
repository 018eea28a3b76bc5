import { sql, type Kysely } from 'kysely';

/** Owner: activity. Recordings of which fewer days fit than are to be kept are a warning of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table security_warning drop constraint security_warning_kind_check,
      add constraint security_warning_kind_check check (kind in
        ('record_broken', 'session_stolen', 'many_denials', 'key_new_address', 'disk_low', 'disk_full',
         'folder_away', 'folder_hung', 'storage_short', 'camera_down', 'person_matched', 'models_changed',
         'models_waiting'))`.execute(db);
}
