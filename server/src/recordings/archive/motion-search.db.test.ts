/** When something moved in a part of a camera's picture: by place, by time, to whom, and what becomes of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { MotionQuery, RecordingQuery } from '@nazar/contract/recordings.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import type { Scope } from '#http/scope.ts';
import { addCell, noCells, type MotionGrid } from '#media/protocol/motion-grid.ts';
import { granting } from '#testing/grants.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { turnCamera } from '#testing/turned-camera.ts';
import { until } from '#testing/until.ts';

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): number => start + seconds * 1_000;
const iso = (seconds: number): string => new Date(at(seconds)).toISOString();
const dayS = 86_400;

type Place = readonly [column: number, row: number];
const [topLeft, middle, bottomRight] = [
  [0, 0],
  [8, 4],
  [15, 8],
] as const;

/** Second by second of a segment: where something moved. */
function gridOf(places: Readonly<Record<number, Place>>, rotation: 0 | 90 = 0): MotionGrid {
  const moved = Object.entries(places).map(([second, [column, row]]) => {
    const cells = noCells();
    addCell(cells, column, row);
    return { fromMs: Number(second) * 1_000, untilMs: (Number(second) + 1) * 1_000, cells };
  });
  return { rotation, isOfMain: true, moved };
}

function record(it: RecordingWorld, begin: number, grid: MotionGrid | null): void {
  const opened = it.opens(at(begin));
  if (!grid) opened.closes(at(begin + 10));
  else opened.closes(at(begin + 10), grid.moved, { grid });
}

/** Around one cell. */
const around = ([column, row]: Place): string => {
  const [left, right] = [(column + 0.2) / 16, (column + 0.8) / 16];
  const [top, bottom] = [(row + 0.2) / 9, (row + 0.8) / 9];
  return [left, top, right, top, right, bottom, left, bottom].map((at) => at.toFixed(6)).join();
};

const period = { from: iso(-60), until: iso(3_600) };

async function answered(it: RecordingWorld, asked: Record<string, string> = {}, scope = it.admin) {
  await it.recordings.settled();
  const query = MotionQuery.parse({ ...period, ...asked });
  return it.recordings.motionSearch.of(scope, it.cameraId, query);
}

const secondsOf = (time: string): number => (Date.parse(time) - start) / 1_000;

async function found(...asked: Parameters<typeof answered>) {
  const { results } = await answered(...asked);
  return results.map(({ started_at, ended_at }) => [secondsOf(started_at), secondsOf(ended_at)]);
}

test('a place is found by the seconds in which something moved there, and by no others', async () => {
  await using it = await recordingWorld();
  record(it, 0, gridOf({ 1: topLeft, 2: topLeft, 5: middle, 9: middle }));
  record(it, 10, gridOf({ 0: middle, 6: bottomRight }));
  record(it, 20, gridOf({}));
  record(it, 300, gridOf({ 3: middle }));
  assert.deepEqual(await found(it, { region: around(topLeft) }), [[1, 3]]);
  assert.deepEqual(await found(it, { region: around(middle) }), [
    [5, 6],
    // It goes on over the end of a file.
    [9, 11],
    [303, 304],
  ]);
  assert.deepEqual(await found(it, { region: around([3, 3]) }), []);
  const everywhere = [
    [1, 3],
    [5, 6],
    [9, 11],
    [16, 17],
    [303, 304],
  ];
  assert.deepEqual(await found(it), everywhere);
  assert.deepEqual(await found(it, { region: '0,0,1,0,1,1,0,1' }), everywhere);
  assert.deepEqual(await found(it, { resolution_ms: '10000', region: around(middle) }), [
    [5, 11],
    [303, 304],
  ]);
  assert.deepEqual(await found(it, { from: iso(5.5), until: iso(9.5), region: around(middle) }), [
    [5.5, 6],
    [9, 9.5],
  ]);
});

test('results that do not fit into an answer are found by asking again from where it says', async () => {
  await using it = await recordingWorld();
  for (let begin = 0; begin < 100; begin += 10) record(it, begin, gridOf({ 2: middle, 6: middle }));
  const spans: unknown[] = [];
  let from: string | null = period.from;
  for (let answers = 0; from !== null; answers++) {
    assert.ok(answers < 10);
    const { results, next } = await answered(it, { from, limit: '3' });
    assert.ok(results.length <= 3);
    spans.push(...results);
    from = next;
  }
  assert.deepEqual(spans, (await answered(it)).results);
  assert.equal(spans.length, 20);
});

test('an answer distinguishes no motion from pictures that were never compared', async () => {
  await using it = await recordingWorld();
  record(it, 0, null);
  record(it, 600, gridOf({}));
  const { results, compared } = await answered(it, { until: iso(300) });
  assert.deepEqual([results, compared], [[], false]);
  assert.deepEqual((await answered(it)).compared, true);
});

test('R-03 an index that is made again from the files finds the same', async () => {
  await using it = await recordingWorld();
  record(it, 0, gridOf({ 1: topLeft, 5: middle }, 90));
  const before = await found(it, { region: around(middle) });
  assert.equal(before.length, 1);
  await sql`delete from recording_segment`.execute(it.world.database.db.write());
  assert.deepEqual(await found(it), []);
  await it.recordings.recover();
  await it.recordings.recover();
  assert.deepEqual(await found(it, { region: around(middle) }), before);
});

test('deleted motion, and motion that is too old, is found no more', async () => {
  await using it = await recordingWorld();
  record(it, 0, gridOf({ 1: middle }));
  record(it, 300, gridOf({ 1: middle }));
  record(it, 310, gridOf({ 5: middle }));
  await it.recordings.settled();
  const query = RecordingQuery.parse({ ordering: 'started_at' });
  const { results } = await it.recordings.archive.list(it.admin, query);
  await it.recordings.deletion.delete(it.admin, results[0]!.id);
  assert.deepEqual(await found(it), [
    [301, 302],
    [315, 316],
  ]);
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { retentionDays: 1 });
  it.world.clock.advance(at(310 + dayS) + 5_000 - it.world.clock.now());
  await until(async () => (await found(it)).length === 1);
  assert.deepEqual(await found(it), [[315, 316]]);
  const { rows } = await sql`select from recording_motion`.execute(it.world.database.db.read());
  assert.equal(rows.length, 1, 'nothing of it is left');
});

const maskOf = (points: readonly (readonly [number, number])[]): ZoneFields => ({
  kind: 'privacy',
  name: '',
  points: points.map(([x, y]) => [x, y]),
});

/** The right half, from the ninth column on. */
const right = maskOf([
  [0.5, 0],
  [1, 0],
  [1, 1],
  [0.5, 1],
]);

test('C-302 a user who may not see behind a mask learns of no motion behind it, whenever it was recorded', async () => {
  await using it = await recordingWorld();
  record(it, 0, gridOf({ 0: topLeft, 3: [7, 4], 6: middle, 9: bottomRight }));
  const user = await it.world.actor('user');
  const guard: Scope = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const trusted: Scope = {
    ...user,
    grants: granting(it.cameraId, ['live', 'recordings', 'unmasked']),
  };
  const all = [
    [0, 1],
    [3, 4],
    [6, 7],
    [9, 10],
  ];
  assert.deepEqual(await found(it, {}, guard), all, 'there is no mask yet');
  await it.world.cameras.zones.replace(it.admin, it.cameraId, [right]);
  // Squares of 8 pixels are compared: one that is half behind the mask counts for the cell beside it, too.
  assert.deepEqual(await found(it, {}, guard), [[0, 1]]);
  assert.deepEqual(await found(it, { region: around(middle) }, guard), []);
  assert.deepEqual(await found(it, {}, trusted), all);
  assert.deepEqual(await found(it), all);
  await it.world.cameras.zones.replace(it.admin, it.cameraId, []);
  assert.deepEqual(await found(it, {}, guard), all);
});

test('C-401 motion from before a turned camera was confirmed is hidden wherever its mask may have been', async () => {
  await using it = await recordingWorld();
  const { cameras, clock } = it.world;
  const moved = { 1: topLeft, 4: [15, 0], 7: middle } as const;
  record(it, 0, gridOf(moved));
  await turnCamera(it.world, it.admin, it.cameraId, 90);
  record(it, 100, gridOf(moved, 90));
  clock.advance(at(200) - clock.now());
  const topRight = maskOf([
    [0.95, 0],
    [1, 0],
    [1, 0.05],
    [0.95, 0.05],
  ]);
  await cameras.zones.replace(it.admin, it.cameraId, [topRight]);
  record(it, 300, gridOf(moved, 90));
  const user = await it.world.actor('user');
  const guard: Scope = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  assert.deepEqual(await found(it, {}, guard), [
    [7, 8],
    [107, 108],
    [301, 302],
    [307, 308],
  ]);
  assert.equal((await found(it)).length, 9);
});

test('C-401 users who may see the recordings of that camera find it', async () => {
  await using it = await recordingWorld();
  record(it, 0, gridOf({ 1: middle }));
  const user = await it.world.actor('user');
  const guard: Scope = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  assert.equal((await found(it, {}, guard)).length, 1);
  const viewer: Scope = { ...user, grants: granting(it.cameraId, ['live']) };
  await assert.rejects(found(it, {}, viewer), { code: 'forbidden' });
  await assert.rejects(found(it, {}, user), { code: 'camera_not_found' });
  const other = await it.world.camera(it.admin);
  const query = MotionQuery.parse(period);
  assert.deepEqual((await it.recordings.motionSearch.of(it.admin, other, query)).results, []);
});

test('a region that is none is refused at its field', () => {
  const refused = [
    '',
    '0,0,1,1',
    '0,0,1,0,1',
    '0,0,1.1,0,1,1',
    'a,b,c,d,e,f',
    `0,0${',1,1'.repeat(32)}`,
  ];
  for (const region of refused) {
    const { error } = MotionQuery.safeParse({ region });
    assert.deepEqual(error?.issues[0]?.path, ['region'], region);
  }
  assert.deepEqual(MotionQuery.parse({ region: '0,0,1,0,0.5,1' }).region, [
    [0, 0],
    [1, 0],
    [0.5, 1],
  ]);
});
