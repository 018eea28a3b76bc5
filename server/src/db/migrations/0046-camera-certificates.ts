import { sql, type Kysely } from 'kysely';

/** Owner: cameras. Cameras have certificates of their own making: one may be told which (C-514). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table camera
      -- SHA-256 in lower-case hexadecimal; '' where it is verified by whoever signed it.
      add column certificate text not null default ''
        check (certificate ~ '^([0-9a-f]{64})?$')`.execute(db);
}
