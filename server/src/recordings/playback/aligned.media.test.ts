/**
 * What was recorded of either stream, for who may not see behind a mask that was drawn on the main picture: by every way
 * a recorded picture takes, made by a real worker of real files.
 */
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { StillsQuery } from '@nazar/contract/playback.ts';
import type { Scope } from '#http/scope.ts';
import { readSegment, stillBox } from '#media/mp4/segment-file.ts';
import { granting } from '#testing/grants.ts';
import { greyOfJpeg, picturesIn, picturesOf, type Grey } from '#testing/grey.ts';
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
const ip = '127.0.0.1';
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
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.mp4'))) {
    const file = join(folder, name);
    const { startedAtMs } = (await readSegment(file))!.head;
    const film = films.find((one) => momentOf(one, 0).getTime() === startedAtMs)!;
    const { data, ...size } = pictureOf(maskedScene, film.size, film.part);
    const raw = { raw: { ...size, channels: 1 } } as const;
    const jpeg = await sharp(data, raw).jpeg({ quality: 90 }).toBuffer();
    appendFileSync(file, stillBox({ atMs: 0, jpeg, shows: film.shows }));
  }
  await it.recordings.recover();
  await it.recordings.recover();
  // Exports are made of what is past.
  it.world.clock.advance(10 * 60_000);
}

/** Every picture of that film that the reader can get hold of, by the way it takes. */
async function shown(it: RecordingWorld, scope: Scope, film: Filmed) {
  const { stills, thumbnails, exports } = it.recordings;
  const { cameraId } = it;
  const still = await stills.at(scope, cameraId, momentOf(film, 1));
  const query = StillsQuery.parse(periodOf(film));
  const listed = await stills.over(scope, cameraId, query, signal);
  const thumbnail = await thumbnails.at(scope, cameraId, momentOf(film, 1));
  const asked = { cameras: [cameraId], ...periodOf(film) };
  const [{ id } = { id: '' }] = await exports.add(scope, asked);
  await until(async () => ['done', 'failed'].includes((await exports.read(scope, id)).status));
  const { path } = await exports.file(scope, id);
  const jpegs = [still, ...listed.map(({ jpeg }) => Buffer.from(jpeg, 'base64')), thumbnail];
  const [first, ...others] = await Promise.all(jpegs.map(greyOfJpeg));
  const ways: [string, Grey[]][] = [
    ['still', [first!]],
    ['stills and thumbnail', others],
    ['playback', await played(it, scope, film)],
    ['export', await picturesOf(path)],
  ];
  return ways;
}

async function played(it: RecordingWorld, scope: Scope, film: Filmed): Promise<Grey[]> {
  const { playback } = it.recordings;
  const scopeOf = async (): Promise<Scope> => scope;
  const { ticket } = await playback.begin(scope, it.cameraId, periodOf(film));
  const list = await playback.playlist(ticket, ip, scopeOf);
  const parts = [...list.matchAll(/^masked\/part\.m4s.*&id=(.+)&from=(\d+)$/gm)].map(
    ([, id = '', from]) => ({ ticket, id, from: Number(from) }),
  );
  const head = await playback.head(parts[0]!, ip, scopeOf, signal);
  const bodies = parts.map((part) => playback.part(part, ip, scopeOf, signal));
  const folder = mkdtempSync(join(tmpdir(), 'nazar-aligned-'));
  try {
    return await picturesIn(folder, head, ...(await Promise.all(bodies)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    for (const [way, pictures] of await shown(it, guard, film)) {
      assert.ok(pictures.length > 0, `${way}, ${film.name}`);
      for (const picture of pictures) mustHideOnly(picture, film.part, `${way}, ${film.name}`);
    }
  }
  await cameras.alignments.forget(it.admin, it.cameraId, sub.shows);
  await mustRefuse(it, guard, sub);
});

/** While it is not known what the sub-stream shows, nothing that was recorded of it is given to who sees no unmasked. */
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
