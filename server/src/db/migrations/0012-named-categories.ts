import { sql, type Kysely } from 'kysely';

/** Owner: faces. The view of identities tells the category, by which names may be granted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view faces_v_identity as
      select identity.id, identity.person_id, person.first_name, person.last_name,
             person.created_by, person.is_active,
             -- False once erased.
             identity.data_key is not null as is_readable,
             person.category_id
      from identity left join person on person.id = identity.person_id`.execute(db);
}
