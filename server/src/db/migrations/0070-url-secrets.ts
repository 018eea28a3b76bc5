import { sql, type Kysely } from 'kysely';

/** Owner: cameras. What is secret in the paths and queries of addresses is sealed beside them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table camera
      -- Sealed for camera.url_secrets:<id>: what the masks in url, sub_url and device_url stand for; null when there is
      -- none. Addresses of before are read at the next start, which has the key (cameras/older-addresses.ts).
      add column url_secrets bytea,
      add check (deleted_at is null or url_secrets is null)`.execute(db);
}
