import { sql, type Kysely } from 'kysely';

/** Owner: activity. What clients noted is forgotten with an account, with whom it is about, and by age. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table activity_note
      -- Null: forgotten. The row stays for its client_id: an entry that is sent again is there once. The salt
      -- goes with the text, or words could be guessed and compared with the digest in the chain.
      alter column text drop not null,
      alter column salt drop not null,
      add check ((text is null) = (salt is null))`.execute(db);
  // ANALYZE copies frequent values into the catalog.
  for (const column of ['text', 'salt', 'client_id']) {
    await sql`alter table activity_note alter column ${sql.ref(column)} set statistics 0`.execute(
      db,
    );
  }
  // Whose erasure looks for what was said of them: most entries are not of clients.
  await sql`
    create index audit_entry_told_about on audit_entry (object_id)
      where source = 'client' and object_id is not null`.execute(db);
  // Of accounts that went before anybody saw to it.
  await sql`
    delete from activity_note where not exists (select from app_user where id = user_id)`.execute(
    db,
  );
}
