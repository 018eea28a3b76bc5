import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Where a camera is asked to move (ONVIF); empty where it cannot be asked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table camera
      add column device_url text not null default '',
      add check (deleted_at is null or device_url = '')`.execute(db);
}
