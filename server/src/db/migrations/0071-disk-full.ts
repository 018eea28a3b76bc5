import { sql, type Kysely } from 'kysely';

/** Owner: activity. A full disk is a warning of its own, and one that fills up says how many bytes are free. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table security_warning drop constraint security_warning_kind_check,
      add constraint security_warning_kind_check check (kind in
        ('record_broken', 'session_stolen', 'many_denials', 'key_new_address', 'disk_low', 'disk_full',
         'camera_down', 'person_matched', 'models_changed', 'models_waiting'))`.execute(db);
  // The server's first look after its start raises it again where it still holds.
  await sql`
    update security_warning set ended_at = now()
    where kind = 'disk_low' and ended_at is null`.execute(db);
}
