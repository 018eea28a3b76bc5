import { sql, type Kysely } from 'kysely';

/**
 * Owners: sightings, faces. How a visit got its name. Recognition: as whom, when, by which models, and how sure; what
 * users said: who, and by which entry of the activity log. The confidence of a visit of an unknown person was how sure
 * the face itself is; it stays in the rows of before and is not read (`confidence` of face-log-store). Of these rows
 * nothing else is known, but for visits of named strangers that came after the naming: they were recognized.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sighting
      -- Null: nothing was compared.
      alter column confidence drop not null,
      -- The person; not a reference: who is erased stays counted as one.
      add column recognized_as uuid,
      add column recognized_at timestamptz,
      -- id@version of the models.
      add column recognized_by text`.execute(db);
  for (const table of ['correction', 'negative']) {
    await sql`
      alter table ${sql.table(table)}
        -- The account that said so, and the entry of the activity log; null: from before these were kept.
        add column decided_by uuid, add column entry_id uuid`.execute(db);
  }
  await sql`alter table negative alter column confidence drop not null`.execute(db);
  await sql`
    update sighting set recognized_as = correction.person_id
      from correction join correction_part part on part.correction_id = correction.id
      join identity on identity.id = part.identity_id
     where correction.kind = 'identify' and correction.undone_at is null
       and identity.person_id = correction.person_id and sighting.identity_id = identity.id
       and sighting.started_at >= correction.created_at`.execute(db);
  await findEntries(db);
  await makeViews(db);
}

/**
 * Whose word the corrections of before are, by the entries that were written with them: each names the face, the merged
 * one, the one that was made, or the visit, and was recorded within a moment.
 */
async function findEntries(db: Kysely<unknown>): Promise<void> {
  await sql`
    update correction set decided_by = entry.user_id, entry_id = entry.id
      from correction_part part, audit_entry entry
     where part.correction_id = correction.id
       and entry.recorded_at between correction.created_at - interval '1 second'
                                 and correction.created_at + interval '10 seconds'
       and case correction.kind
             when 'identify' then entry.action = 'face.unknown_identified'
               and entry.details->>'face' = correction.person_id::text
               and entry.object_id in (part.identity_id::text, part.merged_into::text)
             when 'merge' then entry.action = 'face.unknown_merged'
               and entry.details->>'merged' in (part.identity_id::text, part.merged_into::text)
             else entry.action = 'face.unknown_split'
               and entry.details->>'made' = part.identity_id::text end`.execute(db);
  await sql`
    update negative set decided_by = entry.user_id, entry_id = entry.id
      from audit_entry entry
     where entry.action = 'face.not_this_person'
       and entry.object_id = negative.person_id::text
       and entry.details->>'visit' = negative.sighting_id::text
       and entry.recorded_at between negative.created_at - interval '1 second'
                                 and negative.created_at + interval '10 seconds'`.execute(db);
}

async function makeViews(db: Kysely<unknown>): Promise<void> {
  // What users said of the identities of strangers, and did not take back.
  await sql`
    create view faces_v_decision as
      select part.identity_id, correction.kind, correction.created_at, correction.decided_by,
             correction.entry_id
      from correction join correction_part part on part.correction_id = correction.id
      where correction.undone_at is null`.execute(db);
  await sql`
    create or replace view faces_v_negative as
      select negative.sighting_id, negative.person_id, negative.created_at, negative.decided_by,
             negative.entry_id
      from negative`.execute(db);
  // People whose names visits bear, or bore.
  await sql`
    create view faces_v_named as
      select id, first_name, last_name, created_by, category_id from person`.execute(db);
}
