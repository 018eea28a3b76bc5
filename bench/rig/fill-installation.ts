/**
 * A process that fills the running installation of its environment with visits of the uneven shape, as in years:
 * `fill-installation.ts VISITS`, with the ids of its cameras as JSON by the standard input.
 */
import { text } from 'node:stream/consumers';
import { readConfig } from '../../server/src/config/config.ts';
import { prepareDataFolder } from '../../server/src/config/data-folder.ts';
import { borrowed } from '../../server/src/config/own-database.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { fillUnevenVisits } from './uneven-visits.ts';
import { unevenPlace } from './uneven-world.ts';
import { countAll } from './visits.ts';

const dayMs = 86_400_000;
const visits = Number(process.argv[2]);
const cameraIds = JSON.parse(await text(process.stdin)) as string[];
const config = readConfig(process.env);
await using database = await openDatabase(borrowed(config, prepareDataFolder(config).path));
// Until the last midnight: what is kept for a year only is not removed in large parts meanwhile.
const until = new Date(Math.floor(Date.now() / dayMs) * dayMs);
const shape = { ...unevenPlace, visits, cameraIds, until, days: 360 };
await fillUnevenVisits(database.db, shape);
await countAll(database.db);
