import { sql, type Kysely } from 'kysely';

/**
 * Owners: faces (who was erased) and sightings (counts). Visits of erased people stay those of somebody recognized:
 * erasing a person changes no count. Those of people who were erased before count as they did then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity
      -- Had a name when it was erased.
      add column was_known boolean not null default false`.execute(db);
  await sql`
    alter table identity
      -- Has a name, or had one when it was erased: its visits count as recognized.
      add column is_known boolean not null
        generated always as (person_id is not null or was_known) stored`.execute(db);
  await sql`create index identity_known on identity (id) where is_known`.execute(db);
  await addToView(db);
  for (const name of counting) await countByKnown(db, name);
  await moveTriggers(db);
  await sql`
    update identity set was_known = true
    where data_key is null and id in (select identity_id from erased_identity)`.execute(db);
}

async function addToView(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view faces_v_identity as
      select identity.id, identity.person_id, person.first_name, person.last_name,
             person.created_by, person.is_active,
             -- False once erased.
             identity.data_key is not null as is_readable,
             person.category_id,
             -- Of merged strangers the one that stands for all of them.
             coalesce(identity.merged_into, identity.id) as stranger_id,
             identity.number, identity.status, identity.is_known,
             -- Tells erased people apart where they are counted; leads to nobody.
             coalesce(identity.person_id, erased.person_id) as counted_as
      from identity left join person on person.id = identity.person_id
      left join erased_identity erased on erased.identity_id = identity.id`.execute(db);
}

/** Functions of migrations 0058, 0063 and 0065 that ask whether an identity has a name. */
const counting = [
  'sighting_count_many',
  'sighting_count_days',
  'sighting_count_camera_days',
  'sighting_count_person_quarters',
  'sighting_count',
  'sighting_recount_hours',
  'sighting_identity_named',
  'sighting_identity_named_by_day',
  'sighting_identity_named_by_quarter',
];
const asked = /(new\.|identity\.)?person_id is (not )?null( as is_known)?/g;

/** Nothing else of them changes. */
async function countByKnown(db: Kysely<unknown>, name: string): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef(${name}::regproc) as definition`.execute(db);
  const { definition } = rows[0]!;
  const changed = definition.replace(
    asked,
    (_, of: string | undefined, not: string | undefined) =>
      `${not ? '' : 'not '}${of ?? 'identity.'}is_known`,
  );
  if (changed === definition)
    throw new Error(`${name} does not ask whether an identity has a name`);
  await sql.raw(changed).execute(db);
}

/** They go by their names: hours, days, quarters. */
async function moveTriggers(db: Kysely<unknown>): Promise<void> {
  const triggers = {
    identity_is_recounted: 'sighting_identity_named',
    identity_is_recounted_by_day: 'sighting_identity_named_by_day',
    identity_is_recounted_by_quarter: 'sighting_identity_named_by_quarter',
  };
  for (const [trigger, called] of Object.entries(triggers)) {
    await sql`drop trigger ${sql.ref(trigger)} on identity`.execute(db);
    await sql`
      create trigger ${sql.ref(trigger)} after update of person_id, was_known on identity for each row
        when (old.is_known <> new.is_known) execute function ${sql.ref(called)}()`.execute(db);
  }
}
