import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { Scope } from '#http/scope.ts';
import type { Rect } from '#lib/geometry.ts';
import { Topic } from '#lib/topic.ts';
import { offHealth } from '#media/protocol/health.ts';
import { samePicture } from '#media/mask/stream-part.ts';
import type { HealthNews } from '#media/media.ts';
import type { MainStreamRequest, FrameResult } from '#media/protocol/messages.ts';
import { TrackedVisits } from '#visits/tracked-visits.ts';
import { until } from '#testing/until.ts';
import { aChip, aFace } from '#testing/vision.ts';
import { aVector, aWorld, quietLog, type World } from '#testing/world.ts';
import type { Pack } from '#vision/packs/pack.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';
import type { FaceView } from '#vision/vision.ts';
import type { FaceLabel } from '#live/face-label.ts';
import { Pipeline, type PipelineOptions } from './pipeline.ts';

let world: World;
let admin: Scope;

before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

const failed = (error: unknown): never => {
  throw error;
};

interface Shown {
  readonly cut?: boolean;
  /** The distance of the vector from that of the `face`. */
  readonly distance?: number;
  readonly face?: Partial<FaceView>;
  /** Which part of the main picture the frame shows; null: that is not known. */
  readonly shows?: FrameResult<FaceView>['painted']['shows'];
}

/** A vector of length 1 at this distance from that of the face with this number. */
function apart(person: number, distance: number): Float32Array {
  const cosine = 1 - distance ** 2 / 2;
  const sine = Math.sqrt(1 - cosine ** 2);
  const aside = aVector(person + 1);
  return aVector(person).map((value, i) => cosine * value + sine * aside[i]!);
}

const [rotation, masks] = [90, 'some'] as const;
const painted = { rotation, masks, shows: samePicture };

/** A camera whose sub-stream is analyzed; `found`: the face as the main stream shows it. */
interface SubStream {
  readonly mainScale: number;
  readonly found: Partial<FaceView> | null;
}

/** Where the picture of a visit was cut out. */
async function placeOf(visitId: string): Promise<unknown> {
  const { rows } = await sql<{ place: unknown }>`
    select place from visit_picture where visit_id = ${visitId}`.execute(world.database.db.read());
  return rows[0]!.place;
}

/** The pipeline with a real log; the test plays the media host and the vision host. */
async function aStage(
  policy: Partial<PipelineOptions['policy']> = {},
  sub: SubStream | null = null,
) {
  const cameraId = await world.camera(admin);
  const { clock, faces, visits } = world;
  const media = {
    seen: new Topic<FrameResult<FaceView> & { readonly chips: Buffer }>(failed),
    healthChanged: new Topic<HealthNews>(failed),
  };
  const mainStreamRequests: MainStreamRequest[] = [];
  let shownChip = aChip(0);
  const detectInMainStream: PipelineOptions['media']['detectInMainStream'] = async (asked) => {
    mainStreamRequests.push(asked);
    const size = { width: 640, height: 360, painted };
    const faces = sub?.found ? [aFace({ chip: 0, ...sub.found })] : [];
    return { ...size, faces, box: asked.box, chips: shownChip };
  };
  const detected = new Map<string, readonly FaceLabel[]>();
  const embedded: (readonly [cameraId: string, cpuMs: number])[] = [];
  const drawn: { at: number; boxes: readonly FaceLabel[] }[] = [];
  const trackedVisits = new TrackedVisits({
    visits,
    changed: world.faces.changed,
    keepsStrangers: async () => true,
    attributesOf: async () => null,
    clock,
    log: quietLog,
  });
  const served = new Topic<{ readonly pack: Pack }>((error) => assert.fail(String(error)));
  let serving: Pack = shippedPack;
  const pipeline = new Pipeline({
    media: { ...media, detectInMainStream, embedded: (...one) => void embedded.push(one) },
    vision: {
      get pack() {
        return serving;
      },
      served,
      // The first byte of a chip says whose vector it has, the second how far from theirs, in hundredths.
      embed: async (chip) => ({
        pack: serving,
        vectors: [apart(chip[0]!, chip[1]! / 100)],
        jpegs: [chip],
        cpuMs: 5,
      }),
    },
    faces,
    trackedVisits,
    viewers: {
      showFaces: (_camera, { main }, _shownIn, boxes) => void drawn.push({ at: main!, boxes }),
    },
    detector: {
      show: (camera, _at, boxes) => void detected.set(camera, boxes),
      forget: (camera) => void detected.delete(camera),
    },
    policy: { minProbability: 0.75, minFaceWidth: 50, ...policy },
    log: quietLog,
  });
  return {
    cameraId,
    drawn,
    detected,
    mainStreamRequests,
    embedded,
    /** One frame with the face of that number, or without a face. */
    async show(
      person: number | null,
      at: number,
      { cut = false, distance = 0, face = {}, shows = samePicture }: Shown = {},
    ): Promise<readonly FaceLabel[]> {
      const chip = aChip(person ?? 0);
      chip[0] = person ?? 0;
      chip[1] = distance * 100;
      const faces = person === null ? [] : [aFace({ chip: 0, ...face })];
      const wallMs = clock.now();
      const shownAt = { main: at, sub: null, masked: null };
      const whole = { x: 0, y: 0, width: 1, height: 1 };
      const shownIn = { main: whole, sub: whole, masked: whole };
      shownChip = chip;
      const { mainScale } = sub ?? { mainScale: 1 };
      const frame = { width: 640, height: 360, painted: { ...painted, shows } };
      const size = { ...frame, mainScale, isInMainStream: sub !== null };
      const picture = { cameraId, at, shownAt, shownIn, wallMs, ...size, cut, faces, chips: chip };
      media.seen.publish(picture);
      for (let turn = 0; turn < 6; turn += 1) await new Promise((next) => setImmediate(next));
      return drawn.at(-1)!.boxes;
    },
    health: (change: Partial<CameraHealth>) =>
      media.healthChanged.publish({ cameraId, health: { ...offHealth, ...change } }),
    /** Changes the serving pack. */
    serve: (pack: Pack) => {
      serving = pack;
      served.publish({ pack });
    },
    rows: async () => {
      const query = { camera_id: cameraId, page: 1, limit: 100 };
      return (await visits.list(admin, query)).results;
    },
    async [Symbol.asyncDispose]() {
      pipeline[Symbol.dispose]();
      await trackedVisits[Symbol.asyncDispose]();
    },
  };
}

test('a face is "..." until its name is in the log, then bears it', async () => {
  await using stage = await aStage();
  await world.person(admin, 'Orkhan', 51);
  const [first] = await stage.show(51, 0);
  assert.deepEqual([first?.state, first?.name, first?.x], ['undecided', null, 100 / 640]);
  let at = 0;
  let box: FaceLabel | undefined;
  await until(async () => {
    world.clock.advance(200);
    [box] = await stage.show(51, (at += 0.2));
    return box?.state === 'known';
  });
  assert.equal(box?.name, 'Orkhan Example');
  assert.ok((box?.confidence ?? 0) >= 0.75);
  const [row] = await stage.rows();
  assert.equal(row?.person_name, 'Orkhan Example');
  const { x, y, width, height } = aFace().chipBox!;
  const place = {
    x: x / 640,
    y: y / 360,
    width: width / 640,
    height: height / 360,
    rotation,
    masks,
  };
  assert.deepEqual(await placeOf(row.id), place);
  assert.deepEqual(stage.embedded[0], [stage.cameraId, 5], 'what embedding cost is its camera’s');
});

test('=APD-002 the face detector returns what is drawn, and nothing once the picture is gone', async () => {
  await using stage = await aStage();
  const boxes = await stage.show(54, 0);
  assert.deepEqual(stage.detected.get(stage.cameraId), boxes);
  assert.equal(boxes[0]?.score, 0.9);
  stage.health({ state: 'offline' });
  assert.equal(stage.detected.has(stage.cameraId), false);
});

test('~ENT-023 a stream whose times begin anew writes no end in the future, and no second visit', async () => {
  await using stage = await aStage();
  await world.person(admin, 'Parviz', 52);
  const beganMs = world.clock.now();
  const showAt = async (at: number): Promise<void> => {
    world.clock.advance(200);
    await stage.show(52, at);
  };
  for (let picture = 0; picture < 10; picture += 1) await showAt(38 + picture * 0.2);
  await until(async () => (await stage.rows()).length === 1);
  // With a viewer the stream is transcoded, and its times begin at 0.
  for (let picture = 0; picture < 10; picture += 1) await showAt(picture * 0.2);
  stage.health({ state: 'offline', cause: 'ended' });
  await until(async () => {
    const [row] = await stage.rows();
    return Date.parse(row!.ended_at) >= world.clock.now() - 400;
  });
  const rows = await stage.rows();
  assert.equal(rows.length, 1);
  assert.ok(Date.parse(rows[0]!.ended_at) <= world.clock.now());
  assert.ok(Date.parse(rows[0]!.timestamp) >= beganMs);
});

test('another face at the same place after a cut does not get the name', async () => {
  await using stage = await aStage();
  await world.person(admin, 'Rana', 53);
  let at = 0;
  await until(async () => {
    world.clock.advance(200);
    const [box] = await stage.show(53, (at += 0.2));
    return box?.state === 'known';
  });
  world.clock.advance(200);
  const [box] = await stage.show(99, (at += 0.2), { cut: true });
  assert.deepEqual([box?.state, box?.name], ['undecided', null]);
  await until(async () => {
    world.clock.advance(200);
    return (await stage.show(99, (at += 0.2)))[0]?.state === 'unknown';
  });
  const names = (await stage.rows()).map(({ person_name }) => person_name).sort();
  assert.deepEqual(names, ['Rana Example', 'Unknown']);
});

test('a name by the vectors of one pack does not outlive it: with the next everyone is detected anew', async () => {
  await using stage = await aStage();
  await world.person(admin, 'Samira', 151);
  let at = 0;
  await until(async () => {
    world.clock.advance(200);
    const [box] = await stage.show(151, (at += 0.2));
    return box?.state === 'known';
  });
  const [before] = stage.drawn.at(-1)!.boxes;
  stage.serve({ ...shippedPack, id: 'other' });
  const drawn = stage.drawn.length;
  await stage.show(151, (at += 0.2));
  assert.equal(stage.drawn.length, drawn, 'a host of the pack before is not listened to');
  const face = { pack: `other@${shippedPack.version}` } as const;
  const [box] = await stage.show(151, (at += 0.2), { face });
  assert.equal(box?.state, 'undecided');
  assert.notEqual(box?.track_id, before?.track_id);
  await until(async () => {
    world.clock.advance(200);
    return (await stage.show(151, (at += 0.2), { face }))[0]?.state === 'unknown';
  });
});

test('a person who just came into view when the server, the camera’s host or the models stop is no stranger', async () => {
  await world.person(admin, 'Vagif', 64);
  const glance = { distance: 0.3, face: { quality: 0.5 } };
  const lost = await aStage();
  await lost.show(64, 0.2, glance);
  lost.health({ state: 'offline', cause: 'no_packets' });
  await until(async () => (await lost.rows())[0]?.person_name === 'Unknown');
  for (const stop of ['server', 'camera', 'host', 'models'] as const) {
    const stage = await aStage();
    await stage.show(64, 0.2, glance);
    if (stop === 'camera') stage.health({ state: 'connecting', cause: 'starting' });
    if (stop === 'host') stage.health({ state: 'connecting', cause: 'host_restarting' });
    if (stop === 'models') stage.serve({ ...shippedPack, id: 'other' });
    await stage[Symbol.asyncDispose]();
    assert.deepEqual(await stage.rows(), [], stop);
  }
  await lost[Symbol.asyncDispose]();
});

/** By visit at that camera: the number in the list of unknown people; null: not in the list. */
async function numbersAt(cameraId: string): Promise<(number | null)[]> {
  const { rows } = await sql<{ number: number | null }>`
    select number from visit join identity on identity.id = identity_id
    where camera_id = ${cameraId}`.execute(world.database.db.read());
  return rows.map(({ number }) => number);
}

test('an enrolled person who leaves after one fair picture is in the log, and no new unknown person', async () => {
  await world.person(admin, 'Zaur', 66);
  for (const [distance, isNumbered] of [
    [0.3, false],
    [0.9, true],
  ] as const) {
    await using stage = await aStage();
    await stage.show(66, 0.2, { distance, face: { quality: 0.5 } });
    world.clock.advance(2_000);
    await stage.show(null, 2.2);
    await until(async () => (await stage.rows()).length === 1);
    assert.equal((await stage.rows())[0]!.person_name, 'Unknown');
    const [number] = await numbersAt(stage.cameraId);
    assert.equal(number !== null, isNumbered, `${distance}`);
  }
});

test('~ENT-023 a visit that goes on when the server stops ends there', async () => {
  await world.person(admin, 'Yusif', 65);
  const stage = await aStage();
  await settled(stage, 65, { distance: 0.3 });
  await stage[Symbol.asyncDispose]();
  const [row, ...others] = await stage.rows();
  assert.deepEqual([row?.person_name, others], ['Yusif Example', []]);
  assert.equal(Date.parse(row!.ended_at), world.clock.now());
});

test('~C-304 registering and enrolling a known face changes neither the name nor the confidence', async () => {
  const guard = await world.actor('user');
  const face = { distance: 0.35 };
  await world.person(admin, 'Victim', 61);
  const namedAs = async () => {
    await using stage = await aStage();
    await world.cameras.access.give(admin, {
      to: { type: 'user', id: guard.userId },
      of: { type: 'camera', id: stage.cameraId },
      capabilities: ['live'],
      categories: [],
    });
    await world.faces.refresh();
    const box = await settled(stage, 61, face);
    const rows = await stage.rows();
    return [box?.name, box?.confidence, rows.map(({ person_name }) => person_name)];
  };
  const before = await namedAs();
  assert.deepEqual([before[0], before[2]], ['Victim Example', ['Victim Example']]);
  for (const name of ['Fake', 'Nobody', 'Ghost']) await world.person(guard, name, 61);
  assert.deepEqual(await namedAs(), before);
});

test('a person enrolled twice by administrators gets the name of the first enrolment', async () => {
  await world.person(admin, 'First', 63);
  world.clock.advance(1_000);
  await world.person(admin, 'Second', 63);
  await using stage = await aStage();
  const box = await settled(stage, 63, { distance: 0.3 });
  assert.deepEqual([box?.state, box?.name], ['known', 'First Example']);
});

/** The last box of a face that is shown again and again. */
async function settled(
  stage: Awaited<ReturnType<typeof aStage>>,
  person: number,
  shown: Shown,
): Promise<FaceLabel | undefined> {
  let box: FaceLabel | undefined;
  for (let at = 0.2; at < 4; at += 0.2) {
    world.clock.advance(200);
    [box] = await stage.show(person, at, shown);
    await new Promise((next) => setTimeout(next, 5));
  }
  return box;
}

test('SET-012, SET-016, CFL-047 the threshold an administrator set decides who is named', async () => {
  await world.person(admin, 'Nearly', 55);
  // A probability of 0.66 by the pack's calibration.
  const shown = { distance: 0.556 };
  for (const [minProbability, state] of [
    [0.5, 'known'],
    [0.75, 'unknown'],
    [0.995, 'unknown'],
  ] as const) {
    await using stage = await aStage({ minProbability });
    const box = await settled(stage, 55, shown);
    assert.equal(box?.state, state, `${minProbability}`);
    if (state === 'known') assert.ok(box.confidence! >= 0.5 && box.confidence! < 0.75);
  }
  await using strict = await aStage({ minProbability: 0.995 });
  assert.equal((await settled(strict, 55, { distance: 0.2 }))?.state, 'known');
});

test('SET-013, SET-016 a face narrower than the least size, in pixels of the camera, matches no one', async () => {
  await world.person(admin, 'Far', 57);
  const narrow = { box: { x: 100, y: 100, width: 40, height: 40 } };
  for (const [minFaceWidth, iod, state] of [
    [50, 40, 'undecided'],
    [20, 40, 'known'],
    // The camera has twice as many pixels as the analyzed frame.
    [50, 80, 'known'],
  ] as const) {
    await using stage = await aStage({ minFaceWidth });
    const box = await settled(stage, 57, { face: { ...narrow, iod } });
    assert.equal(box?.state, state, `${minFaceWidth} ${iod}`);
  }
});

/** 10 pixels between the eyes, 80 x 10 / 40 wide. */
const tiny = { iod: 10, sharpness: 8, quality: 0.05, fault: 'too_small' } as const;

test('a face too small in the sub-stream is named by the main stream’s picture of that moment', async () => {
  const chipBox = { x: 64, y: 36, width: 160, height: 180 };
  await using stage = await aStage({}, { mainScale: 3, found: { iod: 30, chipBox } });
  await world.person(admin, 'Tarana', 58);
  let at = 0;
  let box: FaceLabel | undefined;
  await until(async () => {
    world.clock.advance(200);
    [box] = await stage.show(58, (at += 0.2), { face: tiny });
    return box?.state === 'known';
  });
  assert.equal(box?.name, 'Tarana Example');
  const [first] = stage.mainStreamRequests;
  assert.deepEqual(first?.box, { x: 100 / 640, y: 100 / 360, width: 80 / 640, height: 80 / 360 });
  for (let picture = 0; picture < 50; picture += 1) {
    world.clock.advance(200);
    await stage.show(58, (at += 0.2), { face: tiny });
  }
  assert.ok(
    stage.mainStreamRequests.length <= 2,
    'of a track that is known two pictures are enough',
  );
  const [row] = await stage.rows();
  assert.equal(row?.person_name, 'Tarana Example');
  const place = { x: 0.1, y: 0.1, width: 0.25, height: 0.5, rotation, masks };
  assert.deepEqual(await placeOf(row.id), place);
});

test('C-401 the picture of a visit lies on the main picture where the sub-stream shows its face, or nowhere', async () => {
  const cut = { x: 0.125, y: 0, width: 0.75, height: 1 };
  const { x, y, width, height } = aFace().chipBox!;
  for (const [person, shows] of [
    [61, cut],
    [62, null],
  ] as const) {
    await using stage = await aStage();
    await world.person(admin, `Placed ${person}`, person);
    await settled(stage, person, { shows });
    const [row] = await stage.rows();
    const place = (await placeOf(row!.id)) as Rect | null;
    if (shows === null) assert.equal(place, null);
    else {
      // As much wider as masks are.
      const [left, right] = [
        cut.x + (x / 640) * cut.width,
        ((x + width) / 640) * cut.width + cut.x,
      ];
      assert.ok(Math.abs(place!.x - (left - 0.02)) < 1e-9);
      assert.ok(Math.abs(place!.x + place!.width - (right + 0.02)) < 1e-9);
      assert.ok(place!.y <= y / 360 && place!.y + place!.height >= (y + height) / 360);
    }
  }
});

test('a face too small in the sub-stream matches no one where the main stream does not show it', async () => {
  await using stage = await aStage({}, { mainScale: 3, found: null });
  await world.person(admin, 'Ulvi', 59);
  for (let picture = 1; picture <= 12; picture += 1) {
    world.clock.advance(200);
    const [box] = await stage.show(59, picture * 0.2, { face: tiny });
    assert.equal(box?.state, 'undecided');
  }
  assert.equal(stage.mainStreamRequests.length, 2);
  stage.health({ state: 'offline' });
  assert.deepEqual(await stage.rows(), []);
});

test('SET-013 a face smaller in the main stream than the least size is not detected there', async () => {
  await using stage = await aStage({ minFaceWidth: 80 }, { mainScale: 3, found: { iod: 30 } });
  for (let picture = 1; picture <= 5; picture += 1) {
    world.clock.advance(200);
    await stage.show(60, picture * 0.2, { face: tiny });
  }
  assert.deepEqual(stage.mainStreamRequests, []);
});
