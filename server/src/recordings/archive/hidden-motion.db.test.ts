/** All answers about motion agree, reader by reader: search, timeline, list, filter, detail and calendar. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import * as fc from 'fast-check';
import {
  MotionQuery,
  RecordedDaysQuery,
  RecordingQuery,
  TimelineQuery,
} from '@nazar/contract/recordings.ts';
import type { Scope } from '#http/scope.ts';
import { addCell, noCells, type MotionGrid } from '#media/protocol/motion-grid.ts';
import { granting } from '#testing/grants.ts';
import { rectangle } from '#testing/grey.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';

const start = Date.UTC(2026, 0, 15, 12);
/** Far enough for recordings of their own. */
const apartMs = 600_000;
const period = {
  from: new Date(start - 1_000).toISOString(),
  until: new Date(start + 3_600_000).toISOString(),
};

interface Moved {
  readonly second: number;
  readonly column: number;
  readonly row: number;
}

interface PlannedSegment {
  readonly type: 'continuous' | 'motion';
  readonly rotation: 0 | 90 | 180 | 270;
  /** False: of a sub-stream of which it was not known what it shows of the main picture. */
  readonly isOfMain: boolean;
  /** Null: its pictures were not compared by place. */
  readonly moved: readonly Moved[] | null;
}

/** Every second of a segment at most one cell moves, four seconds apart: no two are joined. */
const segments = fc.array(
  fc.record<PlannedSegment>({
    type: fc.constantFrom('continuous', 'motion'),
    rotation: fc.constantFrom(0, 90, 180, 270),
    isOfMain: fc.constantFrom(true, true, true, false),
    moved: fc.option(
      fc.uniqueArray(
        fc.record({
          second: fc.constantFrom(0, 4, 8),
          column: fc.nat({ max: 15 }),
          row: fc.nat({ max: 8 }),
        }),
        { selector: ({ second }) => second, maxLength: 3 },
      ),
      { freq: 6 },
    ),
  }),
  { minLength: 1, maxLength: 4 },
);

function gridOf({ rotation, isOfMain, moved }: PlannedSegment): MotionGrid | null {
  if (!moved) return null;
  const sorted = moved.toSorted((a, b) => a.second - b.second);
  return {
    rotation,
    isOfMain,
    moved: sorted.map(({ second, column, row }) => {
      const cells = noCells();
      addCell(cells, column, row);
      return { fromMs: second * 1_000, untilMs: (second + 1) * 1_000, cells };
    }),
  };
}

async function emptied(it: RecordingWorld): Promise<void> {
  const db = it.world.database.db.write();
  for (const table of ['recording_motion', 'recording_segment', 'recording'])
    await sql`delete from ${sql.table(table)}`.execute(db);
}

async function recorded(it: RecordingWorld, planned: readonly PlannedSegment[]): Promise<void> {
  for (const [index, one] of planned.entries()) {
    const begin = start + index * apartMs;
    const grid = gridOf(one);
    const opened = it.opens(begin, { type: one.type });
    if (grid) opened.closes(begin + 10_000, grid.moved, { grid });
    // From before there were grids: when something moved is known, and not where.
    else opened.closes(begin + 10_000, [{ fromMs: 0, untilMs: 1_000 }]);
  }
  await it.recordings.settled();
}

/** What each way gives a reader, as indexes of segments in which something moved. */
async function motionSeenBy(it: RecordingWorld, scope: Scope) {
  const { motionSearch, timelines, archive, days } = it.recordings;
  const { cameraId } = it;
  const indexOf = (time: string): number => Math.floor((Date.parse(time) - start) / apartMs);
  const spans = (list: readonly { started_at: string; ended_at: string }[]): string[] =>
    list.map(({ started_at, ended_at }) => `${started_at} ${ended_at}`);
  const search = await motionSearch.of(scope, cameraId, MotionQuery.parse(period));
  const query = TimelineQuery.parse({ ...period, resolution_ms: '0' });
  const [timeline] = await timelines.of(scope, [cameraId], query);
  const list = async (more: Record<string, string>) => {
    const asked = RecordingQuery.parse({ ...more, ordering: 'started_at', camera: cameraId });
    return (await archive.list(scope, asked)).results;
  };
  const listed = await list({});
  const read = await Promise.all(listed.map(({ id }) => archive.read(scope, id)));
  const month = RecordedDaysQuery.parse({ month: '2026-01', timezone: 'UTC' });
  const [day] = await days.of(scope, cameraId, month);
  return {
    search: spans(search.results),
    segments: [...new Set(search.results.map(({ started_at }) => indexOf(started_at)))],
    timeline: spans(timeline!.motion),
    listed: listed.map(({ hasMotion }) => hasMotion),
    read: read.map(({ hasMotion }) => hasMotion),
    moved: (await list({ has_motion: 'true' })).map(({ startTime }) => indexOf(startTime)),
    still: (await list({ has_motion: 'false' })).map(({ startTime }) => indexOf(startTime)),
    day: day?.motion,
  };
}

test('C-302, C-401 every answer about motion hides what moved behind a mask, and all agree', async () => {
  await using it = await recordingWorld();
  const user = await it.world.actor('user');
  const as = (...more: 'unmasked'[]): Scope => ({
    ...user,
    grants: granting(it.cameraId, ['live', 'recordings', ...more]),
  });
  const [guard, trusted] = [as(), as('unmasked')];
  const corner = fc.integer({ min: 0, max: 60 }).map((hundredths) => hundredths / 100);
  const turned = fc.record({
    by: fc.constantFrom([0], [0, 180], [0, 90, 270]),
    untilSegment: fc.option(fc.nat(4)),
  });
  const planned = fc.record({ segments, x: corner, y: corner, turned });
  const property = fc.asyncProperty(planned, async (plan) => {
    await emptied(it);
    await it.world.cameras.zones.replace(it.admin, it.cameraId, []);
    await recorded(it, plan.segments);
    const all = await motionSeenBy(it, guard);
    assert.deepEqual(all, await motionSeenBy(it, it.admin), 'there is no mask yet');
    const points = rectangle(plan.x, plan.y, 0.35, 0.35);
    await it.world.cameras.zones.replace(it.admin, it.cameraId, [
      { kind: 'privacy', name: '', points },
    ]);
    const { by, untilSegment } = plan.turned;
    const until = untilSegment === null ? null : new Date(start + untilSegment * apartMs);
    await sql`update camera set turned_by = ${by}, turned_until = ${until}`.execute(
      it.world.database.db.write(),
    );
    assert.deepEqual(await motionSeenBy(it, trusted), all);
    assert.deepEqual(await motionSeenBy(it, it.admin), all);
    const seen = await motionSeenBy(it, guard);
    assert.deepEqual(seen.timeline, seen.search);
    assert.deepEqual(seen.moved, seen.segments);
    const hasMotion = plan.segments.map(({ moved, isOfMain }, index) =>
      moved === null || !isOfMain ? null : seen.segments.includes(index),
    );
    const elsewhere = plan.segments.keys().filter((index) => !plan.segments[index]!.isOfMain);
    assert.deepEqual(
      [...elsewhere].filter((index) => seen.segments.includes(index)),
      [],
    );
    assert.deepEqual([seen.listed, seen.read], [hasMotion, hasMotion]);
    const others = plan.segments.keys().filter((index) => !seen.segments.includes(index));
    assert.deepEqual(seen.still, [...others]);
    assert.equal(seen.day, seen.segments.length);
  });
  await fc.assert(property, { numRuns: 12 });
});

test('C-401 a mask of one camera hides no motion of another', async () => {
  await using it = await recordingWorld();
  const user = await it.world.actor('user');
  const moved = [{ second: 4, column: 8, row: 4 }];
  await recorded(it, [{ type: 'continuous', rotation: 0, isOfMain: true, moved }]);
  const other = await it.world.camera(it.admin);
  const guard: Scope = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const whole = [{ kind: 'privacy' as const, name: '', points: rectangle(0, 0, 1, 1) }];
  await it.world.cameras.zones.replace(it.admin, other, whole);
  const free = await motionSeenBy(it, guard);
  assert.deepEqual([free.segments, free.moved, free.listed, free.day], [[0], [0], [true], 1]);
  assert.equal(free.timeline.length, 1);
  await it.world.cameras.zones.replace(it.admin, it.cameraId, whole);
  const hidden = await motionSeenBy(it, guard);
  assert.deepEqual(
    [hidden.segments, hidden.moved, hidden.listed, hidden.day, hidden.timeline],
    [[], [], [false], 0, []],
  );
});
