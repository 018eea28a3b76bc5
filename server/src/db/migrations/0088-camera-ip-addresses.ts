import { sql, type Kysely } from 'kysely';

/** Owner: cameras. The IP address of a camera is that in the address of its stream where none was typed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update camera set ip_address = substring(url from
      '^[a-z]+://([0-9]{1,3}(?:\\.[0-9]{1,3}){3})(?=[:/?#]|$)')
    where ip_address = '' and deleted_at is null
      and url ~ '^[a-z]+://[0-9]{1,3}(\\.[0-9]{1,3}){3}([:/?#]|$)'`.execute(db);
}
