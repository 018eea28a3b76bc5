/**
 * A process that writes visits into the data of an installation, which may be running, as if its cameras had seen
 * them: without pictures, but with names. The visits come as JSON by the standard input.
 */
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { readConfig } from '#config/config.ts';
import { prepareDataFolder } from '#config/data-folder.ts';
import { borrowed } from '#config/own-database.ts';
import { openDatabase } from '#db/open.ts';
import { systemClock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';

/** Visits of one person, or each of another stranger. */
export interface MadeVisits {
  readonly cameraId: string;
  /** Null: no known person. */
  readonly person: string | null;
  /** Email of the user who added the person. */
  readonly addedBy: string;
  readonly startedAtMs: readonly number[];
}

const made = JSON.parse(await text(process.stdin)) as MadeVisits[];
const config = readConfig(process.env);
const folder = prepareDataFolder(config);
await using database = await openDatabase(borrowed(config, folder.path));
const db = database.db.write();
const identities = new Map<string, string>();

async function identityOf({ person, addedBy }: MadeVisits): Promise<string> {
  const key = `${person} ${addedBy}`;
  const known = person === null ? undefined : identities.get(key);
  if (known !== undefined) return known;
  const [id, personId] = [uuidv7(systemClock.now()), uuidv7(systemClock.now())];
  if (person !== null) {
    await sql`
      insert into person (id, first_name, last_name, category_id, created_by, created_at, updated_at)
      select ${personId}, ${person}, 'Example', category.id, app_user.id, now(), now()
      from (select id from face_category limit 1) category, app_user
      where app_user.email = ${addedBy}`.execute(db);
  }
  await sql`
    insert into identity (id, person_id, number, data_key, created_at)
    values (${id}, ${person === null ? null : personId},
            ${person === null ? sql`(select coalesce(max(number), 0) + 1 from identity)` : null},
            '\\x00', now())`.execute(db);
  identities.set(key, id);
  return id;
}

for (const visits of made) {
  for (const atMs of visits.startedAtMs) {
    const identityId = await identityOf(visits);
    await sql`
      insert into visit (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
      values (${uuidv7(atMs)}, ${visits.cameraId}, ${identityId}, ${new Date(atMs)},
              ${new Date(atMs + 8_000)}, 0.9, 0.9)`.execute(db);
  }
}
