import { sql, type Kysely } from 'kysely';

/** Owner: accounts. Signing in elsewhere as proof that one still is who signed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sign_on
      -- connect, prove: for the account and the session that began it.
      add column purpose text not null default 'sign in'
        check (purpose in ('sign in', 'connect', 'prove'))`.execute(db);
  await sql`
    update sign_on set purpose = 'connect' where step = 'begun' and user_id is not null`.execute(
    db,
  );
  await sql`alter table sign_on alter column purpose drop default`.execute(db);
  await sql`
    create table fresh_sign_on (
      session_id   uuid primary key references session on delete cascade,
      -- When this session last came back from the provider with proof.
      signed_on_at timestamptz not null
    )`.execute(db);
}
