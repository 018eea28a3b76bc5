import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { pino } from 'pino';
import { aClock } from '#testing/clock.ts';
import { Housekeeping } from './housekeeping.ts';

const hourMs = 60 * 60_000;

test('every hour partitions are made ahead and expired tokens deleted, whatever failed before', async () => {
  const clock = aClock();
  const done: string[] = [];
  await using housekeeping = new Housekeeping({
    sightings: {
      preparePartitions: async () => {
        done.push('partitions');
        throw new Error('the database is away');
      },
    },
    accounts: { deleteExpiredTokens: async () => void done.push('tokens') },
    clock,
    log: pino({ level: 'silent' }),
  });
  void housekeeping;
  assert.deepEqual(done, []);
  for (let hour = 0; hour < 2; hour += 1) {
    clock.advance(hourMs);
    await turn();
  }
  assert.deepEqual(done, ['partitions', 'tokens', 'partitions', 'tokens']);
});
