import { sql, type Kysely } from 'kysely';

/** Owner: faces. Photos that may not show their person: compared with the others, and set aside with the reason. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table face_image
      -- Why it may not show the person; null: nothing speaks against it.
      add column doubt text check (doubt in ('disagrees_with_others', 'fits_other_person')),
      -- Whom it fits better. No foreign key: deleting them must not wait for the photos of others.
      add column doubt_person uuid,
      -- It takes no part in recognition. False beside a doubt: a person has to look first.
      add column is_aside boolean not null default false,
      -- Somebody said that it is right; that holds until the photos of the person change.
      add column is_kept boolean not null default false,
      add check ((doubt_person is null) = (doubt is distinct from 'fits_other_person')),
      add check (not is_aside or (doubt is not null and not is_kept))`.execute(db);
  await sql`
    create index face_image_doubt on face_image (doubt_person) where doubt_person is not null`.execute(
    db,
  );
  await sql`
    alter table person
      -- Whether its photos are to be compared: they changed, or those of others did.
      add column comparison text not null default 'photos'
        check (comparison in ('photos', 'others', 'done')),
      -- id@version of the pack by which they were compared last.
      add column compared_by text`.execute(db);
  await sql`
    create index person_to_compare on person (id) where comparison <> 'done'`.execute(db);
}
