import { sql, type Kysely } from 'kysely';

/** Accounts that ended, whose people are erased (accounts); what was erased (faces); how far it is (privacy). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ended_account (
      user_id     uuid primary key,
      ended_at    timestamptz not null,
      -- From then on the people it added are erased (SES-041), unless somebody has taken them over.
      erase_after timestamptz not null,
      handed_to   uuid,
      check (erase_after >= ended_at)
    )`.execute(db);
  // Whose they were is known until they are erased: the id of an account says nothing once the account is gone.
  await sql`alter table person drop constraint person_created_by_fkey`.execute(db);
  await sql`alter table camera drop constraint camera_created_by_fkey`.execute(db);
  await queueOrphans(db);

  await sql`
    create table erased_identity (
      identity_id uuid primary key references identity (id),
      -- One erasure of a person covers all their identities.
      person_id   uuid not null,
      erased_at   timestamptz not null,
      images      integer not null check (images >= 0),
      embeddings  integer not null check (embeddings >= 0),
      -- Cleaning waits until nobody reads what this transaction still showed.
      erased_by   xid8 not null default pg_current_xact_id()
    )`.execute(db);
  await sql`
    create view faces_v_erased as
      select person_id, max(erased_at) as erased_at, sum(images)::integer as images,
             sum(embeddings)::integer as embeddings, array_agg(identity_id) as identity_ids,
             max(erased_by) as erased_by
      from erased_identity group by person_id`.execute(db);

  await sql`
    create table erasure (
      id           uuid primary key,
      subject      text not null check (subject in ('person', 'account')),
      -- Of what is gone; no foreign key.
      subject_id   uuid not null,
      reason       text not null check (reason in
                     ('asked', 'deleted', 'account_ended', 'retention', 'replayed')),
      requested_at timestamptz not null,
      -- What the terms promise (SES-041).
      due_at       timestamptz not null,
      -- Keys and rows are gone: nothing of it can be read through the product.
      removed_at   timestamptz,
      -- Dead rows and the log are gone from the disk too; the record has the certificate.
      cleaned_at   timestamptz,
      -- Counts, and once cleaned what was proven; nothing that tells who it was.
      certificate  jsonb not null default '{}',
      unique (subject, subject_id),
      check (cleaned_at is null or removed_at is not null)
    )`.execute(db);
  await sql`create index erasure_open on erasure (requested_at) where cleaned_at is null`.execute(
    db,
  );
  await allowSystemEntries(db);
  await keepOutOfStatistics(db);
}

/** People whose account is gone already: 7 days for an administrator to take them over. */
async function queueOrphans(db: Kysely<unknown>): Promise<void> {
  const nobody = '00000000-0000-0000-0000-000000000000';
  await sql`
    insert into ended_account (user_id, ended_at, erase_after)
    select ${nobody}, now(), now() + interval '7 days'
    where exists (select from person where created_by is null)`.execute(db);
  await sql`update person set created_by = ${nobody} where created_by is null`.execute(db);
}

/** What the server does by itself, such as erasing, is recorded as its own. */
async function allowSystemEntries(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_entry drop constraint audit_entry_source_check`.execute(db);
  await sql`
    alter table audit_entry add constraint audit_entry_source_check
      check (source in ('request', 'console', 'client', 'system'))`.execute(db);
}

/** ANALYZE copies frequent values into the catalog: names and sealed keys are none of its business. */
async function keepOutOfStatistics(db: Kysely<unknown>): Promise<void> {
  const columns = {
    person: ['first_name', 'last_name', 'description', 'email', 'phone', 'position', 'notes'],
    identity: ['data_key'],
    app_user: ['email', 'first_name', 'last_name', 'password_hash', 'phone', 'address', 'bio'],
    face_embedding: ['vector', 'chip'],
    face_image: ['photo', 'thumbnail'],
    sighting_picture: ['template', 'chip'],
  };
  for (const [table, names] of Object.entries(columns)) {
    for (const name of names) {
      await sql`
        alter table ${sql.table(table)} alter column ${sql.ref(name)} set statistics 0`.execute(db);
    }
  }
}
