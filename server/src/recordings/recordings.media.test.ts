/** Recordings of a real camera by real hosts that are killed: what is lost, and whether index and disk agree. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { MotionQuery } from '@nazar/contract/recordings.ts';
import { makeFilm, makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { MjpegCamera } from '@nazar/e2e/farm/mjpeg-camera.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { systemClock } from '#lib/clock.ts';
import { MaskingLimit } from '#media/media.ts';
import type { MediaCamera } from '#media/protocol/messages.ts';
import { Workers } from '#media/server/workers.ts';
import { writeCodedFilm } from '#testing/coded-film.ts';
import { aCamera, hostsOf, mediaFolder, openMedia, Watcher } from '#testing/media.ts';
import { until } from '#testing/until.ts';
import { aWorld, quietLog } from '#testing/world.ts';
import { contentsOf } from '#testing/film.ts';
import { Recordings } from './recordings.ts';

const film = makeFilm();
const timeout = 120_000;

interface Row {
  readonly path: string;
  readonly bytes: number | null;
  readonly sha256: Buffer;
  readonly codec: string;
  readonly mime: string;
  readonly width: number;
}

const isComplete = ({ bytes }: Row): boolean => bytes !== null;

type Address = Pick<MediaCamera, 'type' | 'url'>;
/** Makes what the camera shows, in a folder that it may be played from. */
type MakeAddress = (folder: string) => Promise<Address>;

/** A connected camera, its recordings, and real hosts. */
async function aRecordedCamera(
  address: string | MakeAddress,
  wanted: RecordingSettingsPatch = { continuousRecording: true },
) {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'nazar-recordings-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const hosts = stack.use(mediaFolder());
  const world = stack.use(await aWorld());
  const admin = await world.actor('admin');
  const cameraId = await world.camera(admin, { status: 'active', url: 'rtsp://192.168.0.9/a' });
  const { activity, cameras, database } = world;
  const workers = stack.use(new Workers({ clock: systemClock, log: quietLog }));
  const recordings = stack.use(
    await Recordings.open({
      db: database.db,
      activity,
      cameras,
      workers,
      maskingLimit: new MaskingLimit(systemClock),
      key: world.master.derive('recordings'),
      folders: [{ path: folder, isOwn: false }],
      clock: systemClock,
      log: quietLog,
    }),
  );
  const media = stack.use(openMedia(hosts));
  await recordings.follow(media);
  await recordings.policies.changeSettings(admin, cameraId, wanted);
  const type = typeof address === 'string' && address.startsWith('http') ? 'http' : 'rtsp';
  const given =
    typeof address === 'string' ? ({ type, url: address } as const) : await address(hosts.path);
  media.watch(aCamera(cameraId, given.url, given));
  const rows = async (): Promise<Row[]> => {
    const found = await sql<Row>`
      select path, bytes, sha256, codec, mime, width from recording_segment order by started_at`.execute(
      database.db.read(),
    );
    return found.rows;
  };
  const built = stack.move();
  return {
    folder,
    cameraId,
    media,
    rows,
    timeline: async () => {
      await recordings.settled();
      const nowMs = systemClock.now();
      const [timeline] = await recordings.timelines.of(admin, [cameraId], {
        from: new Date(nowMs - 3_600_000).toISOString(),
        until: new Date(nowMs + 3_600_000).toISOString(),
        resolution_ms: 0,
      });
      return timeline!;
    },
    motionIn: async (region: string) => {
      await recordings.settled();
      const query = MotionQuery.parse({ region });
      return (await recordings.motionSearch.of(admin, cameraId, query)).results;
    },
    killHost: () => {
      for (const pid of hostsOf(hosts).values()) process.kill(pid, 'SIGKILL');
    },
    files: () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.mp4') && !name.startsWith('quarantine'))
        .toSorted(),
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

/** How many of the last pictures that viewers were shown before that piece are not in the file. */
function missingOf(pieces: readonly Buffer[], file: Buffer): number {
  const last = pieces.findLastIndex((piece) => file.subarray(-piece.length).equals(piece));
  assert.ok(last >= 0, 'the file ends with a whole picture that was shown');
  return pieces.length - 1 - last;
}

test(
  'R-02 R-03 kill -9 of a host loses a quarter of a second of what came at most, and rows and files agree',
  { timeout },
  async () => {
    await using camera = await RtspCamera.start({ film });
    await using it = await aRecordedCamera(camera.url);
    const viewer = new Watcher();
    using _ = it.media.join(it.cameraId, viewer);
    let shown: Buffer[] = [];
    using _gone = it.media.recorded.on(({ news }) => {
      if (news.kind === 'gone') shown = [...viewer.pieces];
    });
    for (let kill = 1; kill <= 3; kill++) {
      await until(async () => (await it.rows()).length === kill);
      await viewer.has(viewer.pieces.length + 40);
      it.killHost();
      await until(async () => (await it.rows()).filter(isComplete).length === kill);
      const { path } = (await it.rows())[kill - 1]!;
      const missing = missingOf(shown, readFileSync(join(it.folder, path)));
      assert.ok(missing <= film.fps / 4, `${missing} pictures are lost`);
    }
    await until(async () => (await it.rows()).length === 4);
    const rows = await it.rows();
    assert.deepEqual(rows.map(({ path }) => path).toSorted(), it.files());
    for (const { path, sha256 } of rows.filter(isComplete)) {
      const data = readFileSync(join(it.folder, path));
      assert.deepEqual(createHash('sha256').update(data).digest(), sha256);
      const { numbers } = await contentsOf(join(it.folder, path));
      assert.ok(numbers.length > 0, 'every segment plays');
    }
    const { gaps } = await it.timeline();
    assert.deepEqual(
      gaps.map(({ cause, ended_at }) => [cause, ended_at !== null]),
      [
        ['restart', true],
        ['restart', true],
        ['restart', true],
      ],
    );
  },
);

test('a camera of JPEGs is recorded as it is', { timeout }, async () => {
  const jpegs = await makeJpegs();
  await using camera = await MjpegCamera.start({ jpegs, fps: 10 });
  await using it = await aRecordedCamera(camera.url);
  await until(async () => (await it.rows()).some(isComplete));
  const [row] = await it.rows();
  assert.deepEqual([row?.codec, row?.mime], ['mjpeg', 'video/mp4; codecs="mp4v.6c"']);
  const { numbers, keys } = await contentsOf(join(it.folder, row!.path));
  assert.equal(keys.length, numbers.length, 'every picture is a key frame');
  const steps = numbers
    .slice(1)
    .map((number, at) => (number - numbers[at]! + jpegs.length) % jpegs.length);
  assert.ok(steps.every((step) => step === 1));
});

for (const coding of [
  { codec: 'hevc', bFrames: 0, mime: /codecs="hvc1\.1\.6\.L\d+\.\d+/ },
  { codec: 'h264', bFrames: 2, mime: /codecs="avc1\.[0-9a-f]{6}"/ },
] as const) {
  test(
    `${coding.codec} with ${coding.bFrames} pictures that refer to later ones is recorded as it is`,
    { timeout },
    async () => {
      await using it = await aRecordedCamera(async (folder) => {
        const url = join(folder, 'film.mp4');
        await writeCodedFilm(url, coding);
        return { type: 'file', url };
      });
      await until(async () => (await it.rows()).some(isComplete));
      const [row] = await it.rows();
      assert.equal(row?.codec, coding.codec);
      assert.match(row.mime, coding.mime);
      const { numbers, keys } = await contentsOf(join(it.folder, row.path));
      assert.equal(keys[0], 0);
      const steps = numbers.slice(1).map((number, at) => (number - numbers[at]! + 50) % 50);
      assert.ok(numbers.length >= 250 && steps.every((step) => step === 1), steps.join());
    },
  );
}

test(
  'other pictures in mid-stream begin another segment, and nothing is missing between',
  { timeout },
  async () => {
    await using camera = await RtspCamera.start({ film });
    await using it = await aRecordedCamera(camera.url);
    await until(async () => (await it.rows()).length === 1);
    camera.film = makeFilm({ ...smallFilm, width: 480, height: 272 });
    await until(async () => (await it.rows()).length >= 2 && (await it.rows()).some(isComplete));
    const [before, after] = await it.rows();
    assert.deepEqual([before?.width, after?.width], [320, 480]);
    assert.deepEqual((await it.timeline()).gaps, []);
  },
);

test('a camera that is away is a gap with its cause', { timeout }, async () => {
  await using camera = await RtspCamera.start({ film });
  await using it = await aRecordedCamera(camera.url);
  await until(async () => (await it.rows()).length === 1);
  await camera.close();
  await until(async () => (await it.timeline()).gaps.length === 1);
  await camera.listen();
  await until(async () => (await it.rows()).length === 2);
  const { gaps } = await it.timeline();
  assert.deepEqual([gaps.length, gaps[0]?.cause], [1, 'camera']);
  assert.ok(gaps[0]?.ended_at);
});

test(
  'a camera that is recorded when something moves is, from before it did',
  { timeout },
  async () => {
    await using camera = await RtspCamera.start({ film: makeFilm(smallFilm, true) });
    await using it = await aRecordedCamera(camera.url, { motionDetection: true });
    // Nothing was ever recorded: the pause shows in the index from its first moment.
    await until(async () => (await it.timeline()).gaps[0]?.cause === 'no_motion');
    assert.equal((await it.rows()).length, 0);
    camera.film = film;
    await until(async () => (await it.rows()).length === 1);
    const viewer = new Watcher();
    using _ = it.media.join(it.cameraId, viewer);
    await viewer.has(3 * film.fps);
    camera.film = makeFilm(smallFilm, true);
    await until(async () => (await it.rows()).every(isComplete));
    const rows = await it.rows();
    const { numbers } = await contentsOf(join(it.folder, rows[0]!.path));
    // Only pictures of the moving film bear its numbers.
    const lead = numbers.findIndex((number) => number < film.pictures);
    assert.ok(lead > 0, `${lead} pictures from before it moved`);
    const { motion, spans } = await it.timeline();
    assert.equal(motion.length, 1, 'and when it moved');
    assert.ok(motion[0]!.ended_at < spans[0]!.ended_at, 'what came after is still');
    // The bar moves in the lower half.
    const low = await it.motionIn('0,0.5,1,0.5,1,1,0,1');
    assert.ok(low.length === 1 && low[0]!.started_at >= motion[0]!.started_at.slice(0, 19));
    assert.ok(Date.parse(low[0]!.ended_at) <= Date.parse(motion[0]!.ended_at) + 200);
  },
);
