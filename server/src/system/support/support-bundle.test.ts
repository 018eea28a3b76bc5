import assert from 'node:assert/strict';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import type { SystemLogEntry } from '@nazar/contract/system-logs.ts';
import type { Activity, Entry } from '#activity/activity.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { aClock } from '#testing/clock.ts';
import { quietLog } from '#testing/world.ts';
import { SupportBundle } from './support-bundle.ts';

const actor = { userId: 'u', email: 'u@example.org', sessionId: 's', standing: 'admin' } as const;
const scope = createScope(actor, noGrants);

const anEntry = (n: number): SystemLogEntry => ({
  id: `01930f5e-0000-7000-8000-${String(n).padStart(12, '0')}`,
  level: 'warning',
  source: 'media',
  message: `line ${n} of rtsp://cam.example.org/1 for Watchtower and nvr-7:554 of the cam`,
  user: null,
  user_name: 'Anna Example',
  timestamp: '2026-01-15T12:00:00.000Z',
  repeats: 1,
  last_at: '2026-01-15T12:00:00.000Z',
  details: { path: '/srv/anna' },
});

async function aBundle(entries: number): Promise<{ archive: string; deeds: Entry[] }> {
  const deeds: Entry[] = [];
  const all = Array.from({ length: entries }, (_, n) => anEntry(n));
  const bundle = new SupportBundle({
    activity: { recordAlone: async (deed: Entry) => void deeds.push(deed) } as unknown as Activity,
    systemLog: {
      list: async (_scope, { page, page_size: size }) => {
        const results = all.slice((page - 1) * size, page * size);
        return { count: all.length, more: false, results };
      },
    },
    parts: {
      about: () => ({ version: '1.2.3' }),
      health: () => Promise.reject(new TypeError('the database is away')),
      settings: () => {
        throw new RangeError('and so is this');
      },
    },
    places: async () => ['watchtower', 'nvr-7', 'cam'],
    clock: aClock(),
    log: quietLog,
  });
  return { archive: await text(await bundle.make(scope)), deeds };
}

test('LDS-020 a support bundle comes where something fails: what cannot be read is named, and the rest is in it', async () => {
  const { archive, deeds } = await aBundle(1);
  assert.match(archive, /about\.json\0[^]*"version": "1\.2\.3"/);
  assert.match(
    archive,
    /health\.json\0[^]*"unread": "TypeError"[^]*settings\.json\0[^]*"RangeError"/,
  );
  assert.match(
    archive,
    /system-log-1\.ndjson\0[^]*"message":"line 0 of \[address\] for \[address\] and \[address\]:554 of the cam"/,
  );
  assert.doesNotMatch(archive, /Anna|anna|database is away/);
  assert.deepEqual(
    deeds.map(({ actor: by, action }) => [by.userId, action]),
    [['u', 'system.support_exported']],
  );
});

test('LDS-020 a support bundle ends with the last five thousand lines of the system log', async () => {
  const { archive } = await aBundle(5_001);
  assert.equal(archive.match(/system-log-\d\.ndjson/g)?.length, 5);
  assert.equal(archive.match(/"level":"warning"/g)?.length, 5_000);
  const two = await aBundle(1_001);
  assert.equal(two.archive.match(/system-log-\d\.ndjson/g)?.length, 2);
});
