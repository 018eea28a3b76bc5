/**
 * A process that raises an alert about an unknown person in the data of an installation that runs, as its rules would.
 * The id of the camera comes by the standard input; the id of the alert is printed.
 */
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { readConfig } from '#config/config.ts';
import { prepareDataFolder } from '#config/data-folder.ts';
import { borrowed } from '#config/own-database.ts';
import { openDatabase } from '#db/open.ts';
import { addChange } from '#feed/feed.ts';
import { systemClock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';

const cameraId = await text(process.stdin);
const config = readConfig(process.env);
const folder = prepareDataFolder(config);
await using database = await openDatabase(borrowed(config, folder.path));
const nowMs = systemClock.now();
const [id, at] = [uuidv7(nowMs), new Date(nowMs)];
await database.db.transaction(async (tx) => {
  await sql`
    insert into alert (id, kind, level, subject, camera_id, count, people, created_at, last_at)
    values (${id}, 'unknown_person', 'warning', ${cameraId}, ${cameraId}, 1, 1, ${at}, ${at})`.execute(
    tx.as(),
  );
  await addChange(tx, { kind: 'alert', subject: id, at });
});
process.stdout.write(id);
