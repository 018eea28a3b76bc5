/**
 * A process that does nothing but evaluate alerts, to be killed at any moment: database and the moment that its clock
 * shows. It says `ready`, and begins when anything comes by the standard input.
 */
import { once } from 'node:events';
import { AlertRunner } from '#alerts/evaluation/alert-runner.ts';
import { EnabledRules } from '#alerts/evaluation/enabled-rules.ts';
import { Database } from '#db/database.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { testPatienceMs } from './database.ts';

const [host = '', user = '', database = '', nowMs = ''] = process.argv.slice(2);
const log = createLog('silent');
const clock = { ...systemClock, now: () => Number(nowMs) };
await using db = new Database({ host, user, database }, clock, log, testPatienceMs);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const rules = new EnabledRules({ log });
await using runner = new AlertRunner({ db, rules, wakes: [], clock, log });
for (;;) await runner.run();
