/** A person who stays in view for over a day is found in each recording, on each day and at each time of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordedDaysQuery, RecordingQuery, TimelineQuery } from '@nazar/contract/recordings.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';
import { aTrackedCamera } from '#testing/tracked-camera.ts';
import { aPicture } from '#testing/world.ts';

const hourMs = 60 * 60_000;

/** A guard at a desk from now on, for so many hours; a recording of ten seconds each hour. */
async function guardStays(it: RecordingWorld, hours: number): Promise<string> {
  const { clock } = it.world;
  const { id, identityId } = await it.world.person(it.admin, 'Guard', 11);
  const { trackedVisits, decide } = await aTrackedCamera(it.world, it.admin, {
    cameraId: it.cameraId,
  });
  const track = decide({ identityId, startedAtMs: clock.now(), picture: aPicture(11) });
  await until(() => trackedVisits.recorded(track) !== null);
  for (let hour = 0; hour < hours; hour += 1) {
    clock.advance(hourMs);
    it.opens(clock.now() - 20_000).closes(clock.now() - 10_000, []);
    await it.recordings.settled();
    trackedVisits.stillSeen(track, clock.now());
    await trackedVisits.settled();
  }
  return id;
}

test('~REC-018, ~REC-037 a visit of 30 hours is in lists, on days and on timelines up to its end', async () => {
  await using it = await recordingWorld();
  const fromMs = it.world.clock.now();
  const person = await guardStays(it, 30);
  // Gone by then.
  it.world.clock.advance(2 * hourMs);
  it.opens(it.world.clock.now() - 20_000).closes(it.world.clock.now() - 10_000, []);
  await it.recordings.settled();
  const { archive, days, timelines } = it.recordings;
  const iso = (hours: number) => new Date(fromMs + hours * hourMs).toISOString();
  const listed = async (query: Record<string, string>) =>
    (await archive.list(it.admin, RecordingQuery.parse({ page_size: '100', ...query }))).count;
  assert.equal(await listed({ has_faces: 'true' }), 30);
  assert.equal(await listed({ has_faces: 'false' }), 1);
  assert.equal(await listed({ person }), 30);
  const query = RecordedDaysQuery.parse({ month: '2026-01', timezone: 'UTC' });
  const marked = await days.of(it.admin, it.cameraId, query);
  assert.deepEqual(
    marked.map(({ date, faces }) => [date.slice(8), faces > 0]),
    [
      ['15', true],
      ['16', true],
    ],
  );
  const shown = async (from: number, end: number) => {
    const asked = TimelineQuery.parse({ from: iso(from), until: iso(end), resolution_ms: '1000' });
    const [timeline] = await timelines.of(it.admin, [it.cameraId], asked);
    return timeline!.faces.map((one) => one.ended_at);
  };
  assert.deepEqual(await shown(28, 29), [iso(30)]);
  assert.deepEqual(
    await shown(0, 31),
    [iso(30)],
    'two visits that follow one another are one span',
  );
  assert.deepEqual(await shown(31, 32), []);
});
