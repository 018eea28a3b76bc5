/**
 * Recordings of either stream, for users who may not see behind a mask that was set on the main picture: by every way
 * a recorded picture takes, made by a real worker of real files.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { StillsQuery } from '@nazar/contract/playback.ts';
import type { Scope } from '#http/scope.ts';
import { granting } from '#testing/grants.ts';
import { addStills, shownBy } from '#testing/recorded-ways.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import {
  everything,
  maskedScene,
  mustHideOnly,
  pictureOf,
  planesOf,
  sceneMask,
  streamPairs,
} from '#testing/scenes.ts';
import { until } from '#testing/until.ts';

const start = Date.UTC(2026, 0, 15, 12);
const [filmSeconds, apartSeconds] = [2, 30];
const { signal } = new AbortController();

/** The main stream, and each sub-stream, one after the other. */
const films = [
  { name: 'the main stream', size: streamPairs[0]!.main, part: everything, shows: 'main' },
  ...streamPairs.map(({ name, sub, part }, index) => ({
    name,
    size: sub,
    part,
    shows: `pair ${index}`,
  })),
];
type Filmed = (typeof films)[number];
const secondsOf = (film: Filmed): number => films.indexOf(film) * (filmSeconds + apartSeconds);
const momentOf = (film: Filmed, second: number): Date =>
  new Date(start + (secondsOf(film) + second) * 1_000);
const periodOf = (film: Filmed) => ({
  from: momentOf(film, 0).toISOString(),
  until: momentOf(film, filmSeconds).toISOString(),
});

async function recordAll(it: RecordingWorld): Promise<void> {
  const folder = join(it.folder, it.cameraId);
  const recorded = films.map(({ size, part, shows }, index) => {
    const planes = planesOf(maskedScene, size, part);
    const shape = { ...size, fps: 10, pictures: filmSeconds * 10, gop: 10 };
    const afterSeconds = index === 0 ? 0 : apartSeconds;
    return { codec: 'h264', bFrames: 0, shape, shows, afterSeconds, paints: () => planes } as const;
  });
  await recordFilms(folder, it.cameraId, start, recorded);
  await addStills(folder, (startedAtMs) => {
    const film = films.find((one) => momentOf(one, 0).getTime() === startedAtMs)!;
    return { picture: pictureOf(maskedScene, film.size, film.part), shows: film.shows };
  });
  await it.recordings.recover();
  await it.recordings.recover();
  // Exports are made of what is past.
  it.world.clock.advance(10 * 60_000);
}

test('C-401 nothing of what is hidden shows in what was recorded of either stream, by any way', async () => {
  await using it = await recordingWorld();
  await recordAll(it);
  const { cameras } = it.world;
  const mask = { kind: 'privacy', name: '', points: sceneMask } as const;
  await cameras.zones.replace(it.admin, it.cameraId, [mask]);
  const user = await it.world.actor('user');
  const guard = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const trusted = { ...user, grants: granting(it.cameraId, ['live', 'recordings', 'unmasked']) };
  const sub = films[1]!;
  await mustRefuse(it, guard, sub);
  assert.ok(await it.recordings.stills.at(trusted, it.cameraId, momentOf(sub, 1)));
  for (const [index, { part }] of streamPairs.entries()) {
    await cameras.alignments.measured(it.cameraId, {
      pair: `pair ${index}`,
      part,
      isConfirmed: false,
    });
  }
  for (const film of films) {
    for (const [way, pictures] of await shownBy(it, guard, periodOf(film), momentOf(film, 1))) {
      assert.ok(pictures.length > 0, `${way}, ${film.name}`);
      for (const picture of pictures) mustHideOnly(picture, film.part, `${way}, ${film.name}`);
    }
  }
  await cameras.alignments.forget(it.admin, it.cameraId, sub.shows);
  await mustRefuse(it, guard, sub);
});

/** While it is not known what the sub-stream shows, users without `unmasked` get nothing that was recorded of it. */
async function mustRefuse(it: RecordingWorld, guard: Scope, film: Filmed): Promise<void> {
  const { stills, thumbnails, playback, exports } = it.recordings;
  const refused = { code: 'camera_not_aligned' };
  const { cameraId } = it;
  await assert.rejects(stills.at(guard, cameraId, momentOf(film, 1)), refused);
  await assert.rejects(thumbnails.at(guard, cameraId, momentOf(film, 1)), refused);
  await assert.rejects(playback.begin(guard, cameraId, periodOf(film)), refused);
  const query = StillsQuery.parse(periodOf(film));
  assert.deepEqual(await stills.over(guard, cameraId, query, signal), []);
  const [{ id } = { id: '' }] = await exports.add(guard, {
    cameras: [cameraId],
    ...periodOf(film),
  });
  await until(async () => ['done', 'failed'].includes((await exports.read(guard, id)).status));
  assert.equal((await exports.read(guard, id)).fault, 'not_aligned');
}
