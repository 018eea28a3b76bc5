import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { settingsSections, type RecognitionSettings } from '@nazar/contract/settings.ts';
import { turnedPolygon } from '@nazar/contract/polygon.ts';
import type { Scope } from '#http/scope.ts';
import { Topic } from '#lib/topic.ts';
import type { MeasuredAlignment } from '../media.ts';
import type { Alignment } from '../protocol/stream-pair.ts';
import type { MediaCamera, MediaZone } from '../protocol/messages.ts';
import { offHealth } from '../protocol/health.ts';
import { until } from '#testing/until.ts';
import { aCameraForm, aWorld, quietLog, type World } from '#testing/world.ts';
import { CameraSync } from './camera-sync.ts';

let world: World;
let admin: Scope;
before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

/** Collects what the media hosts would be sent. */
function aMedia() {
  const watched = new Map<string, MediaCamera>();
  const live = new Set<string>();
  const drawn = new Map<string, readonly MediaZone[]>();
  const aligned = new Topic<MeasuredAlignment>((error) => {
    throw error;
  });
  const alignments = new Map<string, readonly Alignment[]>();
  return {
    aligned,
    alignments,
    align: (id: string, known: readonly Alignment[]) => void alignments.set(id, known),
    watched,
    drawn,
    live,
    watch: (camera: MediaCamera) => void watched.set(camera.id, camera),
    setZones: (id: string, zones: readonly MediaZone[]) => void drawn.set(id, zones),
    unwatch: (id: string) => void watched.delete(id),
    health: (id: string) =>
      ({ ...offHealth, state: live.has(id) ? 'live' : 'connecting' }) as const,
  };
}

/** What an administrator has set. */
function aPolicy() {
  const changed = new Topic<RecognitionSettings>((error) => {
    throw error;
  });
  return { picturesPerSecond: 5, mostPicturesPerSecond: Infinity, changed };
}

test('~APC-005, ~APC-006, ~APC-007 the ingested cameras follow every change of a camera', async () => {
  const media = aMedia();
  await using _ingest = new CameraSync({
    cameras: world.cameras,
    media,
    demoFilm: null,
    policy: aPolicy(),
    clock: world.clock,
    log: quietLog,
  });
  const url = 'rtsp://192.168.1.9/s';
  const form = aCameraForm({
    status: 'active',
    url,
    username: 'viewer',
    password: 'secret',
    fps: 2,
  });
  const { id } = await world.cameras.add(admin, form);
  await until(() => media.watched.has(id));
  const { password, username, analysisFps, faceRecognition } = media.watched.get(id)!;
  assert.deepEqual(
    [username, password, analysisFps, faceRecognition],
    ['viewer', 'secret', 2, true],
  );
  const changed = {
    ...form,
    password: '',
    rotation: 90,
    fps: 30,
    enable_face_recognition: false,
  } as const;
  await world.cameras.replace(admin, id, changed);
  await until(() => media.watched.get(id)?.rotation === 90);
  const now = media.watched.get(id)!;
  assert.deepEqual([now.password, now.analysisFps, now.faceRecognition], ['secret', 5, false]);
  const points: [number, number][] = [
    [0, 0],
    [1, 0],
    [0, 1],
  ];
  await world.cameras.zones.replace(admin, id, [{ kind: 'privacy', name: '', points }]);
  await until(() => media.drawn.get(id)?.length === 1);
  assert.deepEqual(media.drawn.get(id)?.[0]?.points, points);
  await world.cameras.updateStatus(admin, id, 'inactive');
  await until(() => !media.watched.has(id));
  await world.cameras.updateStatus(admin, id, 'active');
  await until(() => media.watched.has(id));
  await world.cameras.remove(admin, id);
  await until(() => !media.watched.has(id));
});

test('C-401 a change is settled once it is applied; one that could not be is tried again, and not settled before', async () => {
  const media = aMedia();
  const id = await world.camera(admin, { status: 'active', url: 'rtsp://192.168.1.9/s' });
  let away = false;
  const zones = {
    byCamera: async () => {
      if (away) throw new Error('the database is away');
      return world.cameras.zones.byCamera();
    },
  };
  const { reaching, changed, alignments } = world.cameras;
  await using ingest = new CameraSync({
    cameras: { reaching, changed, zones, alignments },
    media,
    demoFilm: null,
    policy: aPolicy(),
    clock: world.clock,
    log: quietLog,
  });
  await ingest.sync();
  const points: [number, number][] = [
    [0, 0],
    [1, 0],
    [0, 1],
  ];
  const mask = { kind: 'privacy', name: '', points } as const;
  await world.cameras.zones.replace(admin, id, [mask]);
  await ingest.settled();
  assert.deepEqual(media.drawn.get(id)?.[0]?.points, points);
  away = true;
  await world.cameras.zones.replace(admin, id, []);
  await assert.rejects(ingest.settled(), { code: 'unavailable' });
  assert.equal(media.drawn.get(id)?.length, 1);
  away = false;
  await until(() => {
    world.clock.advance(1_000);
    return media.drawn.get(id)?.length === 0;
  });
  await ingest.settled();
  await world.cameras.remove(admin, id);
});

test('a camera without an address, or a demo without its film, is not ingested', async () => {
  const media = aMedia();
  const demo = await world.cameras.addDemo(admin, 'Demo', 'Here');
  await world.camera(admin, { status: 'active' });
  await using without = new CameraSync({
    cameras: world.cameras,
    media,
    demoFilm: null,
    policy: aPolicy(),
    clock: world.clock,
    log: quietLog,
  });
  await without.sync();
  assert.deepEqual([...media.watched.keys()], []);
  const demoFilm = '/data/demo.mp4';
  await using ingest = new CameraSync({
    cameras: world.cameras,
    media,
    demoFilm,
    policy: aPolicy(),
    clock: world.clock,
    log: quietLog,
  });
  await ingest.sync();
  const findings = new Map([[demo, offHealth.picture]]);
  assert.deepEqual(ingest.pictures(), { wanted: [demo], live: [], findings });
  media.live.add(demo).add('one that is not wanted any more');
  assert.deepEqual(ingest.pictures(), { wanted: [demo], live: [demo], findings });
  const { type, url } = media.watched.get(demo)!;
  assert.deepEqual([type, url], ['file', demoFilm]);
});

test('C-601 one camera whose password cannot be decrypted keeps no other from being ingested', async () => {
  const media = aMedia();
  const url = 'rtsp://192.168.1.9/s';
  const broken = await world.camera(admin, { status: 'active', url, password: 'secret' });
  const fine = await world.camera(admin, { status: 'active', url });
  await sql`update camera set password = '\\x01' where id = ${broken}`.execute(
    world.database.db.write(),
  );
  await using ingest = new CameraSync({
    cameras: world.cameras,
    media,
    demoFilm: null,
    policy: aPolicy(),
    clock: world.clock,
    log: quietLog,
  });
  await ingest.sync();
  assert.ok(media.watched.has(fine));
  assert.ok(!media.watched.has(broken));
});

test('SET-015, SET-016 the rate of analysis follows the processing mode, and never exceeds the camera`s', async () => {
  const media = aMedia();
  const policy = aPolicy();
  const url = 'rtsp://192.168.1.9/s';
  const slow = await world.camera(admin, { status: 'active', url, fps: 4 });
  const usual = await world.camera(admin, { status: 'active', url, fps: 25 });
  await using ingest = new CameraSync({
    cameras: world.cameras,
    media,
    demoFilm: null,
    policy,
    clock: world.clock,
    log: quietLog,
  });
  await ingest.sync();
  const rates = () => [slow, usual].map((id) => media.watched.get(id)?.analysisFps);
  assert.deepEqual(rates(), [4, 5]);
  policy.picturesPerSecond = 8;
  policy.changed.publish(settingsSections.recognition.defaults);
  await until(() => rates()[1] === 8);
  assert.deepEqual(rates(), [4, 8]);
  const most = [slow, usual].map((id) => media.watched.get(id)?.mostAnalysisFps);
  assert.deepEqual(most, [4, 25]);
});

test('C-401 a camera that is turned is never watched with fewer masks than it may need', async () => {
  const media = aMedia();
  const url = 'rtsp://192.168.1.9/turned';
  const watchedWith: [rotation: number, places: number][] = [];
  const watch = (camera: MediaCamera): void => {
    if (camera.url === url) watchedWith.push([camera.rotation, media.drawn.get(camera.id)!.length]);
    media.watch(camera);
  };
  await using ingest = new CameraSync({
    cameras: world.cameras,
    media: { ...media, watch },
    demoFilm: null,
    policy: aPolicy(),
    clock: world.clock,
    log: quietLog,
  });
  const form = aCameraForm({ status: 'active', url });
  const { id } = await world.cameras.add(admin, form);
  const points: [number, number][] = [
    [0, 0],
    [0.2, 0],
    [0, 0.2],
  ];
  const mask = { kind: 'privacy', name: '', points } as const;
  await world.cameras.zones.replace(admin, id, [mask]);
  await until(() => watchedWith.some(([, places]) => places === 1));
  await ingest.settled();
  watchedWith.length = 0;
  await world.cameras.replace(admin, id, { ...form, rotation: 90 });
  await until(() => watchedWith.at(-1)?.[0] === 90);
  assert.deepEqual([...new Set(watchedWith.map(String))], ['90,2']);
  const [before, turned] = media.drawn.get(id)!.map((zone) => zone.points);
  assert.deepEqual([before, turned], [points, turnedPolygon(points, 90)]);
  await world.cameras.zones.replace(admin, id, [mask], 90);
  await until(() => media.drawn.get(id)!.length === 1);
});
