/** A process that does nothing but erase, to be killed at any moment: database, folder for the list, hour. */
import { Activity } from '#activity/activity.ts';
import { EndedAccounts } from '#accounts/accounts.ts';
import { AlertErasing } from '#alerts/alerts.ts';
import { Database } from '#db/database.ts';
import { FaceErasing } from '#faces/faces.ts';
import { systemClock } from '#lib/clock.ts';
import { Erasures } from '#privacy/erasures.ts';
import { VisitErasing } from '#visits/visits.ts';
import { testPatienceMs } from './database.ts';
import { quietLog as log } from './world.ts';

const [host = '', user = '', database = '', folder = '', nowMs = ''] = process.argv.slice(2);
const clock = { ...systemClock, now: () => Number(nowMs) };
const db = new Database({ host, user, database }, clock, log, testPatienceMs);
const activity = new Activity({ db, clock });
const ended = new EndedAccounts(db);
const faces = new FaceErasing(db, clock);
const visits = new VisitErasing(db);
const alerts = new AlertErasing();
const erasures = new Erasures({ db, activity, ended, faces, visits, alerts, folder, clock, log });
process.stdout.write('erasing\n');
await erasures.run();
await db[Symbol.asyncDispose]();
process.stdout.write('done\n');
