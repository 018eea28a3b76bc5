/**
 * A process that does nothing but send what waits for webhooks, to be killed at any moment: database and the moment that
 * its clock shows. It says `ready`, and begins when anything comes by the standard input.
 */
import { once } from 'node:events';
import { Activity } from '#activity/activity.ts';
import { Database } from '#db/database.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { SecretKey } from '#lib/secrets.ts';
import { webhookChannel } from '#notifications/webhooks/channel.ts';
import { testPatienceMs } from './database.ts';
import { aWebhookPolicy } from './webhook-policy.ts';

const [host = '', user = '', database = '', nowMs = '', key = ''] = process.argv.slice(2);
const log = createLog('silent');
const clock = { ...systemClock, now: () => Number(nowMs) };
await using db = new Database({ host, user, database }, clock, log, testPatienceMs);
const { sender } = webhookChannel({
  db,
  activity: new Activity({ db, clock }),
  cameras: { visibleAmong: async (_scope, ids) => new Set(ids) },
  key: new SecretKey(Buffer.from(key, 'hex')),
  webhookPolicy: aWebhookPolicy,
  publicUrl: null,
  clock,
  log,
});
process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (;;) await sender.run();
