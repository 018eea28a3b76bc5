/**
 * Recordings before and after a camera was turned, for users who may not see behind a mask: by every way a recorded
 * picture takes, made by a real worker of real files. A second square must show, so that nothing is right by being black.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { turnedPolygon, type QuarterTurn } from '@nazar/contract/polygon.ts';
import { granting } from '#testing/grants.ts';
import { addStills, shownBy } from '#testing/recorded-ways.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { turnCamera } from '#testing/turned-camera.ts';
import {
  against,
  asBefore,
  mustShowOnlyTheMiddle,
  planesSentBy,
  shownAt,
  sizeSentBy,
  upright,
  type Hung,
} from '#testing/turned-scenes.ts';

const start = Date.UTC(2026, 0, 15, 12);
const [filmSeconds, apartSeconds] = [2, 30];

/** Recorded one after the other with these rotations. */
interface Filmed {
  readonly rotation: QuarterTurn;
  readonly hung: Hung;
}

async function record(it: RecordingWorld, films: readonly Filmed[]): Promise<void> {
  const folder = join(it.folder, it.cameraId);
  const recorded = films.map(({ rotation, hung }, index) => {
    const planes = planesSentBy(hung);
    const shape = { ...sizeSentBy(hung), fps: 10, pictures: filmSeconds * 10, gop: 10 };
    const afterSeconds = index === 0 ? 0 : apartSeconds;
    const paints = () => planes;
    return { codec: 'h264', bFrames: 0, shape, rotation, afterSeconds, paints } as const;
  });
  await recordFilms(folder, it.cameraId, start, recorded);
  await addStills(folder, (startedAtMs) => {
    const nth = Math.round((startedAtMs - start) / ((filmSeconds + apartSeconds) * 1_000));
    const { rotation, hung } = films[nth]!;
    return { picture: shownAt(rotation, hung), shows: 'main' };
  });
  await it.recordings.recover();
  await it.recordings.recover();
}

async function mustHide(it: RecordingWorld, films: readonly Filmed[], when: string): Promise<void> {
  const user = await it.world.actor('user');
  const guard = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  for (const [nth, { rotation, hung }] of films.entries()) {
    const [from, at, until] = [0, 1, filmSeconds].map(
      (second) => new Date(start + (nth * (filmSeconds + apartSeconds) + second) * 1_000),
    );
    const period = { from: from!.toISOString(), until: until!.toISOString() };
    for (const [way, pictures] of await shownBy(it, guard, period, at!)) {
      const what = `${when}: ${way} at ${rotation}, hanging turned by ${hung.by}`;
      assert.ok(pictures.length > 0, what);
      for (const picture of pictures) mustShowOnlyTheMiddle(picture, what);
    }
  }
}

const draw = (it: RecordingWorld, by: QuarterTurn = 0) => {
  const points = turnedPolygon(upright, by).map(([x, y]): [number, number] => [x, y]);
  const mask = { kind: 'privacy', name: '', points } as const;
  return it.world.cameras.zones.replace(it.admin, it.cameraId, [mask]);
};

test('C-401 nothing of what is hidden shows in what was recorded through all four turns of a camera', async () => {
  await using it = await recordingWorld();
  await draw(it);
  const films: Filmed[] = [
    { rotation: 0, hung: asBefore },
    { rotation: 90, hung: asBefore },
    { rotation: 90, hung: against(90) },
    { rotation: 180, hung: asBefore },
    { rotation: 270, hung: asBefore },
    { rotation: 270, hung: against(270) },
  ];
  await record(it, films);
  it.world.clock.advance(10 * 60_000);
  for (const rotation of [90, 180, 270] as const) {
    await turnCamera(it.world, it.admin, it.cameraId, rotation);
  }
  await mustHide(it, films, 'not looked at yet');
  await draw(it, 270);
  await mustHide(it, films, 'turned with the picture');
  await draw(it);
  await mustHide(it, films, 'left where it was');
});

test('C-401 a recording from before two turns hides a mask where neither of the pictures since has it', async () => {
  await using it = await recordingWorld();
  const films: Filmed[] = [{ rotation: 0, hung: asBefore }];
  await draw(it);
  await record(it, films);
  it.world.clock.advance(10 * 60_000);
  // Its users turned the camera against the first of them: the picture stayed upright.
  await turnCamera(it.world, it.admin, it.cameraId, 90);
  await draw(it);
  await turnCamera(it.world, it.admin, it.cameraId, 270);
  await draw(it, 180);
  await mustHide(it, films, 'two turns later');
});
