/** Bookmarks: who marks, reads and deletes them, and when they go by themselves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookmarkFields, BookmarkQuery, maxBookmarks } from '@nazar/contract/bookmarks.ts';
import { sql } from 'kysely';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { recorded } from '#testing/activity-chain.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';

const day = 24 * 60 * 60_000;
const noon = Date.UTC(2026, 0, 15, 12);
const iso = (seconds: number): string => new Date(noon + seconds * 1_000).toISOString();

const mark = (it: RecordingWorld, scope: Scope, seconds: number, note = 'A parcel') =>
  it.recordings.bookmarks.add(scope, it.cameraId, { at: iso(seconds), note });

async function notes(it: RecordingWorld, scope: Scope, query: object = {}): Promise<string[]> {
  const asked = BookmarkQuery.parse(query);
  const found = await it.recordings.bookmarks.list(scope, it.cameraId, asked);
  return found.results.map(({ note }) => note);
}

async function withGuards(it: RecordingWorld) {
  const grants = granting(it.cameraId, ['live', 'recordings']);
  const guard = { ...(await it.world.actor('user')), grants };
  const other = { ...(await it.world.actor('operator')), grants };
  return { guard, other };
}

test('a moment is marked with a note for all who may see the camera’s recordings', async () => {
  await using it = await recordingWorld();
  const { guard, other } = await withGuards(it);
  const made = await mark(it, guard, 30);
  assert.deepEqual(made, {
    id: made.id,
    camera_id: it.cameraId,
    at: iso(30),
    note: 'A parcel',
    created_by: { id: guard.userId, name: 'Test user' },
    created_at: new Date(it.world.clock.now()).toISOString(),
    may_delete: true,
  });
  await mark(it, other, 10, 'A dog');
  await mark(it, it.admin, 20, 'A van');
  assert.deepEqual(await notes(it, guard), ['A dog', 'A van', 'A parcel']);
  assert.deepEqual(await notes(it, guard, { from: iso(10), until: iso(20) }), ['A dog']);
  const listed = async (scope: Scope) =>
    (await it.recordings.bookmarks.list(scope, it.cameraId, BookmarkQuery.parse({}))).results.map(
      ({ may_delete }) => may_delete,
    );
  assert.deepEqual(await listed(guard), [false, false, true]);
  assert.deepEqual(await listed(it.admin), [true, true, true]);
});

test('bookmarks are paged, the oldest moment first or the newest', async () => {
  await using it = await recordingWorld();
  for (const second of [20, 0, 10]) await mark(it, it.admin, second, `At ${second}`);
  const page = async (query: object) => {
    const asked = BookmarkQuery.parse({ page_size: '2', ...query });
    const { count, results } = await it.recordings.bookmarks.list(it.admin, it.cameraId, asked);
    return [count, ...results.map(({ note }) => note)];
  };
  assert.deepEqual(await page({}), [3, 'At 0', 'At 10']);
  assert.deepEqual(await page({ page: '2' }), [3, 'At 20']);
  assert.deepEqual(await page({ ordering: '-at' }), [3, 'At 20', 'At 10']);
  assert.deepEqual(await page({ page: '3' }), [3]);
  assert.deepEqual(await page({ until: iso(20) }), [2, 'At 0', 'At 10']);
});

test('C-304 C-308 bookmarks are for users who may see the recordings; only their makers and administrators delete them', async () => {
  await using it = await recordingWorld();
  const { guard, other } = await withGuards(it);
  const { bookmarks } = it.recordings;
  const { id } = await mark(it, guard, 30);
  const viewer = { ...guard, grants: granting(it.cameraId, ['live']) };
  await assert.rejects(notes(it, viewer), { code: 'forbidden' });
  await assert.rejects(mark(it, viewer, 1), { code: 'forbidden' });
  const stranger = { ...guard, grants: new Map() };
  await assert.rejects(notes(it, stranger), { code: 'camera_not_found' });
  await assert.rejects(mark(it, stranger, 1), { code: 'camera_not_found' });
  await assert.rejects(bookmarks.remove(other, id), { code: 'bookmark_not_found' });
  const staff = { ...it.admin, userId: other.userId, standing: 'staff' } as const;
  await assert.rejects(bookmarks.remove(staff, id), { code: 'bookmark_not_found' });
  await bookmarks.remove(guard, id);
  await assert.rejects(bookmarks.remove(guard, id), { code: 'bookmark_not_found' });
  const again = await mark(it, guard, 40);
  await bookmarks.remove(it.admin, again.id);
  assert.deepEqual(await notes(it, it.admin), []);
});

test('C-806 C-1003 the activity log holds who marked and deleted which moment, and not the note', async () => {
  await using it = await recordingWorld();
  const { id } = await mark(it, it.admin, 30, 'Ayla with a parcel');
  await it.recordings.bookmarks.remove(it.admin, id);
  const entries = (await recorded(it.world.database.db)).filter(({ action }) =>
    action.startsWith('recording.bookmark'),
  );
  assert.deepEqual(
    entries.map(({ action, object_id, details }) => [action, object_id, details]),
    ['added', 'removed'].map((what) => [
      `recording.bookmark_${what}`,
      it.cameraId,
      { at: iso(30), bookmark: id },
    ]),
  );
});

test('a note has 1 to 500 characters, and an account a number of bookmarks', async () => {
  await using it = await recordingWorld();
  const fits = (note: string): boolean => BookmarkFields.safeParse({ at: iso(0), note }).success;
  assert.deepEqual(['', '  ', 'x', '🚪'.repeat(500), 'x'.repeat(501)].map(fits), [
    false,
    false,
    true,
    true,
    false,
  ]);
  await mark(it, it.admin, 0, '🚪'.repeat(500));
  await sql`
    insert into recording_bookmark
      select gen_random_uuid(), ${it.cameraId}, now(), 'x', ${it.admin.userId}, now()
        from generate_series(2, ${maxBookmarks}::int)`.execute(it.world.database.db.write());
  await assert.rejects(mark(it, it.admin, 1), { code: 'bookmarks_too_many' });
  const { guard } = await withGuards(it);
  await mark(it, guard, 1);
});

test('bookmarks go with the account that made them', async () => {
  await using it = await recordingWorld();
  const { guard } = await withGuards(it);
  await mark(it, guard, 30);
  await mark(it, it.admin, 40, 'A van');
  await sql`delete from app_user where id = ${guard.userId}`.execute(it.world.database.db.write());
  assert.deepEqual(await notes(it, it.admin), ['A van']);
});

test('C-1006 a bookmark goes when its moment is older than the camera’s recordings, and stays where these are held', async () => {
  await using it = await recordingWorld();
  const { recordings, admin, cameraId, world } = it;
  it.opens(noon).closes();
  await recordings.policies.changeSettings(admin, cameraId, { retentionDays: 1 });
  await mark(it, admin, 5, 'Held');
  await mark(it, admin, 600, 'Old');
  await mark(it, admin, 2 * 24 * 3_600, 'New');
  const hold = { camera: cameraId, from: iso(0), until: iso(10), reason: 'A break-in' };
  await recordings.holds.add(admin, hold);
  world.clock.advance(day / 2);
  await recordings.settled();
  assert.deepEqual(await notes(it, admin), ['Held', 'Old', 'New']);
  // The hour is believed when it has been steady for a while.
  await until(async () => {
    world.clock.advance(60_000);
    return world.clock.now() > noon + 1.2 * day && !(await notes(it, admin)).includes('Old');
  });
  assert.deepEqual(await notes(it, admin), ['Held', 'New']);
});
