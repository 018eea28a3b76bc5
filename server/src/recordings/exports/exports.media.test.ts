/** Exports that a user asks for: made by a real worker of real files, cancelled, kept, removed, and refused. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import { ExportQuery } from '@nazar/contract/exports.ts';
import { RecordingQuery } from '@nazar/contract/recordings.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import { createScope } from '#http/scope.ts';
import type { AskWorker } from '#media/protocol/worker-messages.ts';
import { WorkerLost, type Asking, type Workers } from '#media/server/workers.ts';
import { contentsOf } from '#testing/film.ts';
import { granting } from '#testing/grants.ts';
import { centreMask } from '#testing/grey.ts';
import { recordFilms, type RecordedFilm } from '#testing/recorded-films.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';
import { verifyExport } from './proof.ts';

const minuteMs = 60_000;
const start = Date.UTC(2026, 0, 15, 12);
const iso = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();

const twelveSeconds = { ...smallFilm, pictures: 12 * smallFilm.fps };
const usual: readonly RecordedFilm[] = [
  { codec: 'h264', bFrames: 0, shape: twelveSeconds },
  { codec: 'h264', bFrames: 0, shape: twelveSeconds, afterSeconds: 8 },
];

async function aRecordedWorld(
  asked?: Parameters<typeof recordingWorld>[0],
): Promise<RecordingWorld> {
  const it = await recordingWorld(asked);
  await recordFilms(join(it.folder, it.cameraId), it.cameraId, start, usual);
  await it.recordings.recover();
  await it.recordings.recover();
  it.world.clock.advance(minuteMs);
  return it;
}

/** Workers that die this many times over an export. */
const dying =
  (times: number) =>
  (workers: Workers): Pick<Workers, 'ask'> => {
    let left = times;
    return {
      ask: (question, ...more) => {
        if (question.kind !== 'export' || left === 0) return workers.ask(question, ...more);
        left -= 1;
        return Promise.reject(new WorkerLost('over an export'));
      },
    };
  };

const all = ExportQuery.parse({});

const asked = (it: RecordingWorld, from: number, end: number) => ({
  cameras: [it.cameraId],
  from: iso(from),
  until: iso(end),
});

async function exported(it: RecordingWorld, from: number, end: number, scope = it.admin) {
  const [{ id } = { id: '' }] = await it.recordings.exports.add(scope, asked(it, from, end));
  await until(async () => {
    const { status } = await it.recordings.exports.read(scope, id);
    return status === 'done' || status === 'failed';
  });
  return it.recordings.exports.read(scope, id);
}

test('C-408 an export is made with its proof: camera, times, what is missing, and every source', async () => {
  await using it = await aRecordedWorld();
  const result = await exported(it, 3, 25);
  assert.deepEqual([result.status, result.progress, result.fault], ['done', 1, null]);
  const { path, name, bytes } = await it.recordings.exports.file(it.admin, result.id);
  const data = readFileSync(path);
  assert.equal(name, 'Gate-20260115T120003Z.mp4');
  assert.deepEqual([bytes, result.bytes], [data.length, data.length]);
  assert.equal(result.sha256, createHash('sha256').update(data).digest('hex'), 'as sha256sum says');
  const { publicKey } = it.world.master.derive('recordings').signingPair();
  const { fault, manifest } = await verifyExport(path, publicKey);
  assert.equal(fault, null);
  assert.deepEqual(manifest?.camera, { id: it.cameraId, name: 'Gate' });
  assert.deepEqual([manifest.from, manifest.until], [iso(3), iso(25)]);
  assert.deepEqual(manifest.pieces, [
    { from: iso(3), until: iso(12), at_seconds: 0 },
    { from: iso(20), until: iso(25), at_seconds: 9 },
  ]);
  assert.deepEqual(
    manifest.gaps.map(({ from, until: end }) => [from, end]),
    [[iso(12), iso(20)]],
  );
  assert.equal(manifest.sources.length, 3);
  assert.equal((await contentsOf(path)).numbers.length, 225 + 125);
});

test('an export that begins between two key frames says what of it was encoded again', async () => {
  await using it = await aRecordedWorld();
  const result = await exported(it, 3.4, 8);
  assert.deepEqual([result.status, result.left_out_seconds], ['done', 0]);
  assert.ok(Math.abs(result.encoded_seconds! - 0.6) < 0.001, `${result.encoded_seconds} s`);
  const { path } = await it.recordings.exports.file(it.admin, result.id);
  const { manifest } = await verifyExport(path, null);
  const span = { from: iso(3.4), until: iso(4), pictures: 15 };
  assert.deepEqual([manifest?.encoded, manifest?.left_out], [[span], []]);
  const { numbers } = await contentsOf(path);
  assert.deepEqual([numbers[0], numbers.at(-1), numbers.length], [85, 199, 115]);
  const copied = await exported(it, 3, 8);
  assert.equal(copied.encoded_seconds, 0);
});

test('~REC-010 an export of a time that is not over is refused by name, and nothing is asked for', async () => {
  await using it = await aRecordedWorld();
  const { exports } = it.recordings;
  const ahead = asked(it, 3, 2 * 60 + 1);
  const refusal = { code: 'period_not_over', params: { field: 'until' } };
  await assert.rejects(exports.add(it.admin, ahead), refusal);
  await assert.rejects(exports.estimate(it.admin, ahead), refusal);
  assert.equal((await exports.list(it.admin, all)).count, 0);
  assert.equal((await exports.estimate(it.admin, asked(it, 3, 2 * 60)))[0]!.seconds, 21);
});

test('~REC-010 an export up to now holds what is being recorded: it waits for the end of its time and of its segment', async () => {
  await using it = await recordingWorld();
  const { exports } = it.recordings;
  const { clock } = it.world;
  it.opens(start - 30_000).closes(start - 20_000);
  const open = it.opens(start - 20_000);
  await it.recordings.settled();
  // Its segment is still being written; and a browser's clock is ahead.
  const [first] = await exports.add(it.admin, asked(it, -25, -12));
  const [second] = await exports.add(it.admin, asked(it, -25, 30));
  const [other] = await exports.add(it.admin, asked(it, -30, -21));
  const statusOf = async (id: string) => (await exports.read(it.admin, id)).status;
  const isTried = async (id: string) => (await statusOf(id)) === 'failed';
  // These files hold no pictures: what is tried fails.
  await until(() => isTried(other!.id));
  assert.deepEqual([await statusOf(first!.id), await statusOf(second!.id)], ['waiting', 'waiting']);
  open.closes(start - 10_000);
  await it.recordings.settled();
  await until(async () => {
    clock.advance(100);
    return isTried(first!.id);
  });
  assert.ok(clock.now() < start + 30_000);
  assert.equal(await statusOf(second!.id), 'waiting');
  clock.advance(32_000);
  await until(async () => {
    clock.advance(100);
    return isTried(second!.id);
  });
});

test('an export of several cameras is a film of each, named in the letters of its camera', async () => {
  await using it = await aRecordedWorld();
  const other = await it.world.camera(it.admin, { name: 'Şəhər "2"/\u202E', status: 'active' });
  await recordFilms(join(it.folder, other), other, start, usual);
  await it.recordings.recover();
  await it.recordings.recover();
  const gate = aCameraForm({ name: 'Вход', status: 'active', url: 'rtsp://192.168.0.9/a' });
  await it.world.cameras.replace(it.admin, it.cameraId, gate);
  const cameras = [it.cameraId, other];
  const made = await it.recordings.exports.add(it.admin, { ...asked(it, 3, 10), cameras });
  const names: string[] = [];
  for (const { id } of made) {
    await until(async () => (await it.recordings.exports.read(it.admin, id)).status === 'done');
    const { name } = await it.recordings.exports.file(it.admin, id);
    names.push(name);
    assert.equal((await it.recordings.exports.read(it.admin, id)).file_name, name, 'as it is told');
  }
  assert.deepEqual(names, ['Вход-20260115T120003Z.mp4', 'Şəhər-2-20260115T120003Z.mp4']);
});

test('exports are listed by pages and by camera, with who asked for them', async () => {
  await using it = await recordingWorld();
  const other = await it.world.camera(it.admin, { name: 'Yard' });
  const guard = {
    ...(await it.world.actor('user')),
    grants: granting(other, ['live', 'recordings']),
  };
  const { exports } = it.recordings;
  const times = { from: iso(0), until: iso(10) };
  await exports.add(it.admin, { cameras: [it.cameraId, other], ...times });
  it.world.clock.advance(1_000);
  await exports.add(guard, { cameras: [other], ...times });
  const page = async (query: object, scope = it.admin) => {
    const { count, results } = await exports.list(scope, ExportQuery.parse(query));
    return [count, ...results.map(({ camera_name, created_by }) => [camera_name, created_by.id])];
  };
  const [mine, theirs] = [it.admin.userId, guard.userId];
  assert.deepEqual(await page({ page_size: '1' }), [3, ['Yard', theirs]]);
  assert.equal((await page({ page: '2', page_size: '2' })).length, 2, 'the oldest alone');
  assert.deepEqual(await page({ camera: other }), [2, ['Yard', theirs], ['Yard', mine]]);
  assert.deepEqual(await page({ camera: it.cameraId }), [1, ['Gate', mine]]);
  assert.deepEqual(await page({}, guard), [1, ['Yard', theirs]]);
  const [{ created_by } = { created_by: null }] = (await exports.list(guard, all)).results;
  assert.deepEqual(created_by, { id: theirs, name: 'Test user' });
});

test('an estimate says what an export would hold before it is made', async () => {
  await using it = await aRecordedWorld();
  const { exports } = it.recordings;
  const of = async (from: number, end: number, scope = it.admin) => {
    const [one] = await exports.estimate(scope, asked(it, from, end));
    return one!;
  };
  const made = await exported(it, 3, 25);
  const { camera_id, seconds, bytes } = await of(3, 25);
  assert.deepEqual([camera_id, seconds], [it.cameraId, made.seconds]);
  // A third of these small files is what fragments have around their pictures.
  assert.ok(
    bytes! > made.bytes! && bytes! < 1.6 * made.bytes!,
    `${bytes} estimated, ${made.bytes} made`,
  );
  assert.deepEqual(await of(13, 19), { camera_id, seconds: 0, bytes: 0 }, 'in a gap');
  assert.deepEqual(await of(-7_200, -3_600), { camera_id, seconds: 0, bytes: 0 });
  const grants = granting(it.cameraId, ['live', 'recordings']);
  const guard = { ...(await it.world.actor('user')), grants };
  assert.equal((await of(3, 25, guard)).bytes, bytes);
  const zones = [{ kind: 'privacy', name: '', points: centreMask }];
  await it.world.cameras.zones.replace(it.admin, it.cameraId, zones as unknown as ZoneFields[]);
  const masked = await of(3, 25, guard);
  assert.deepEqual([masked.seconds, masked.bytes], [made.seconds, null]);
  const stranger = { ...guard, grants: new Map() };
  await assert.rejects(of(3, 25, stranger), { code: 'camera_not_found' });
  const viewer = { ...guard, grants: granting(it.cameraId, ['live']) };
  await assert.rejects(of(3, 25, viewer), { code: 'forbidden' });
});

test('~REC-010 a recording is downloaded as one export, made once', async () => {
  await using it = await aRecordedWorld();
  const { archive, exports } = it.recordings;
  const { results } = await archive.list(it.admin, RecordingQuery.parse({}));
  const first = await exports.ofRecording(it.admin, results[0]!.id);
  assert.equal((await contentsOf(first.path)).numbers.length, 600, 'its pause is left out');
  const again = await exports.ofRecording(it.admin, results[0]!.id);
  assert.deepEqual({ ...again, pieces: null }, { ...first, pieces: null });
  assert.equal((await exports.list(it.admin, all)).count, 1);
  const asked = await exports.forRecording(it.admin, results[0]!.id);
  assert.deepEqual([asked.status, (await exports.list(it.admin, all)).count], ['done', 1]);
  assert.equal((await exports.file(it.admin, asked.id)).path, first.path);
});

test('a worker that dies over an export is given two more tries', async () => {
  await using twice = await aRecordedWorld(dying(2));
  assert.equal((await exported(twice, 0, 5)).status, 'done');
  await using always = await aRecordedWorld(dying(3));
  const { status, fault } = await exported(always, 0, 5);
  assert.deepEqual([status, fault], ['failed', 'interrupted']);
});

test('a server that ends waits for no export: the next one makes it', async () => {
  const begun = Promise.withResolvers<void>();
  let requests = 0;
  await using it = await aRecordedWorld((workers) => ({
    ask: async <H>(question: AskWorker, ...more: [number, Asking?]) => {
      if (question.kind !== 'export' || (requests += 1) > 1)
        return workers.ask<H>(question, ...more);
      writeFileSync(question.target, 'half');
      begun.resolve();
      await until(() => !existsSync(question.target));
      return { head: { fault: 'cancelled' } as H, body: Buffer.alloc(0) };
    },
  }));
  const [{ id } = { id: '' }] = await it.recordings.exports.add(it.admin, asked(it, 0, 5));
  await begun.promise;
  const next = await it.restart();
  await until(async () => (await next.exports.read(it.admin, id)).status === 'done');
});

test('a recording without length is refused in words', async () => {
  await using it = await recordingWorld();
  it.opens(start).closes(start);
  await it.recordings.settled();
  it.world.clock.advance(minuteMs);
  const { results } = await it.recordings.archive.list(it.admin, RecordingQuery.parse({}));
  await assert.rejects(it.recordings.exports.ofRecording(it.admin, results[0]!.id), {
    code: 'export_failed',
  });
});

test('several cameras, one export each; of nothing there is none, and it says so', async () => {
  await using it = await aRecordedWorld();
  const other = await it.world.camera(it.admin);
  const { exports } = it.recordings;
  const both = await exports.add(it.admin, { ...asked(it, 0, 5), cameras: [it.cameraId, other] });
  const ids = both.map(({ id }) => id);
  const states = async () =>
    Promise.all(ids.map(async (id) => (await exports.read(it.admin, id)).status));
  await until(async () => (await states()).every((one) => one === 'done' || one === 'failed'));
  assert.deepEqual(await states(), ['done', 'failed']);
  assert.equal((await exports.read(it.admin, ids[1]!)).fault, 'nothing_recorded');
  await assert.rejects(exports.file(it.admin, ids[1]!), { code: 'export_not_ready' });
});

test('a file that was changed on the disk goes into no export', async () => {
  await using it = await aRecordedWorld();
  const { results } = await it.recordings.archive.list(it.admin, RecordingQuery.parse({}));
  const [segment] = await it.recordings.archive.segments(it.admin, results[0]!.id);
  const { path } = await it.recordings.archive.file(it.admin, segment!.id);
  const data = readFileSync(path);
  data[data.length >> 1]! ^= 1;
  writeFileSync(path, data);
  assert.equal((await exported(it, 0, 5)).fault, 'file_changed');
});

test('an export is cancelled, removed, and gone a day after it was made', async () => {
  await using it = await aRecordedWorld();
  const { exports } = it.recordings;
  const one = await exported(it, 0, 5);
  const { path } = await exports.file(it.admin, one.id);
  await exports.remove(it.admin, one.id);
  assert.equal(existsSync(path), false);
  await assert.rejects(exports.read(it.admin, one.id), { code: 'export_not_found' });
  const two = await exported(it, 0, 5);
  const kept = await exports.file(it.admin, two.id);
  renameSync(kept.path, `${kept.path}.aside`);
  await assert.rejects(exports.file(it.admin, two.id), { code: 'export_not_found' });
  renameSync(`${kept.path}.aside`, kept.path);
  it.world.clock.advance(24 * 60 * 60_000);
  await until(async () => {
    it.world.clock.advance(60_000);
    return (await exports.list(it.admin, all)).count === 0 && !existsSync(kept.path);
  });
  const [three] = await exports.add(it.admin, asked(it, 0, 5));
  await exports.remove(it.admin, three!.id);
  assert.deepEqual(await exports.list(it.admin, all), { count: 0, results: [] });
});

test('an export that an earlier server was making begins again, and the rest of a crash goes', async () => {
  await using it = await aRecordedWorld();
  const one = await exported(it, 0, 5);
  const { path } = await it.recordings.exports.file(it.admin, one.id);
  const folder = join(it.folder, 'exports');
  mkdirSync(folder, { recursive: true });
  const stray = join(folder, `${crypto.randomUUID()}.mp4`);
  for (const left of [stray, join(folder, `${one.id}.part`)]) writeFileSync(left, 'x');
  // The state that a server leaves when it is killed meanwhile.
  await it.world.database.db
    .write<{ recording_export: { status: string; bytes: null; sha256: null } }>()
    .updateTable('recording_export')
    .set({ status: 'running', bytes: null, sha256: null })
    .execute();
  const recordings = await it.restart();
  await until(async () => (await recordings.exports.read(it.admin, one.id)).status === 'done');
  await until(() => !existsSync(stray));
  assert.equal((await verifyExport(path, null)).fault, null);
});

test('C-308 C-401 an export is its maker’s, and only while they may see the recordings of its camera', async () => {
  await using it = await aRecordedWorld();
  const user = await it.world.actor('user');
  const guard = { ...user, grants: granting(it.cameraId, ['live', 'recordings']) };
  const viewer = { ...user, grants: granting(it.cameraId, ['live']) };
  const { exports } = it.recordings;
  await assert.rejects(exports.add(viewer, asked(it, 0, 5)), { code: 'forbidden' });
  await assert.rejects(exports.add(user, asked(it, 0, 5)), { code: 'camera_not_found' });
  const result = await exported(it, 0, 5, guard);
  assert.equal(result.status, 'done');
  await assert.rejects(exports.file(viewer, result.id), { code: 'forbidden' });
  const other = await it.world.actor('user');
  await assert.rejects(exports.read(other, result.id), { code: 'export_not_found' });
  assert.equal((await exports.list(it.admin, all)).count, 1);
  const someone = createScope({ ...guard, standing: 'user' }, guard.grants);
  const { ticket } = await exports.ticket(someone, result.id);
  const opened = await exports.byTicket(ticket, '', async () => guard);
  assert.equal(opened.path, (await exports.file(guard, result.id)).path);
  await assert.rejects(
    exports.byTicket(ticket, '', async () => viewer),
    { code: 'forbidden' },
  );
  await assert.rejects(
    exports.byTicket(ticket, '', async () => null),
    { code: 'playback_ended' },
  );
});

test('R-08 a disk without room for an export makes none', async () => {
  await using it = await aRecordedWorld();
  // Room enough for recordings to stay, and for less than the export beside the part that stays free.
  it.disk = { totalBytes: 100_000, freeBytes: 20_000 };
  assert.equal((await exported(it, 0, 5)).fault, 'disk_full');
});
