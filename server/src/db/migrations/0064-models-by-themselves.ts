import { sql, type Kysely } from 'kysely';

/**
 * Owner: system. Owner: activity. An installation whose models nobody chose changes to better ones by itself, and
 * administrators are told.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table model_state
      -- Somebody chose the pack in use, or refused another: Nazar changes nothing by itself.
      add column is_chosen boolean not null default false,
      -- Nazar began the change for better recognition; kept after it until administrators were told.
      add column is_automatic boolean not null default false`.execute(db);
  // What was stored before packs could change was made by the only pack of that time.
  await sql`
    insert into model_state (serving)
    select pack_id || '@' || pack_version
    from (select pack_id, pack_version from face_embedding
          union all select pack_id, pack_version from sighting_picture) made
    limit 1
    on conflict do nothing`.execute(db);
  await sql`
    update model_state set is_chosen = true
    where serving not like 'blazeface-dlib@%' or switched_at is not null or preparing is not null
      -- A change that was cancelled left no trace but this.
      or exists (select from audit_entry where action = 'system.model_change_cancelled')`.execute(
    db,
  );
  await sql`
    alter table security_warning drop constraint security_warning_kind_check,
      add constraint security_warning_kind_check check (kind in
        ('record_broken', 'session_stolen', 'many_denials', 'key_new_address', 'disk_low',
         'camera_down', 'person_matched', 'models_changed', 'models_waiting'))`.execute(db);
}
