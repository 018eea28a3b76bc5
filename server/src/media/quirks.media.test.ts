/** What firmware does that no standard says, as the farm plays it: the camera is shown, and by one connection. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFilm, smallFilm, type Film, type FilmShape } from '@nazar/e2e/farm/film.ts';
import { unitsOf } from '@nazar/e2e/farm/rtp.ts';
import { RtspCamera, type Quirk } from '@nazar/e2e/farm/rtsp-camera.ts';
import { codedPictures } from '#testing/coded-film.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { timeOf } from './mp4/boxes.ts';

const film = makeFilm();
const timeout = 90_000;

/** A film by the encoder of other films, which has other parameter sets. */
async function filmOf(coding: { bFrames: number; shape: FilmShape }): Promise<Film> {
  const pictures = await codedPictures({ codec: 'h264', ...coding });
  return {
    ...coding.shape,
    units: pictures.map(({ data }) => data),
    isKey: (index) => index % coding.shape.gop === 0,
    shownAs: pictures.map(({ shownAs }) => shownAs),
  };
}

/** Pictures of which none can be begun with. `described`: the camera's description has the parameter sets. */
function filmWithoutKeys(described: boolean): Film {
  const [key] = film.units;
  const sets = unitsOf(key!).filter((unit) => [7, 8].includes(unit[0]! & 31));
  const [first, ...others] = film.units.filter((_, index) => !film.isKey(index));
  const startCode = Buffer.from([0, 0, 0, 1]);
  const withSets = Buffer.concat([...sets.flatMap((unit) => [startCode, unit]), first!]);
  return { ...film, units: [described ? withSets : first!, ...others] };
}

for (const described of [true, false]) {
  test(
    `a camera that sends no key picture${described ? '' : ' and no parameter sets'} says so`,
    { timeout, concurrency: true },
    async () => {
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film: filmWithoutKeys(described) });
      await using media = openMedia(folder);
      media.watch(aCamera('a', camera.url));
      await until(media, 'a', 'stalled', 'no_key_frame');
      camera.film = film;
      await until(media, 'a', 'live');
      assert.equal(camera.connections, 1, 'it went on waiting');
    },
  );
}

test('a key picture that comes after 10 s is waited for', { timeout }, async () => {
  const { units } = makeFilm({ ...smallFilm, pictures: 250, gop: 250 });
  using folder = mediaFolder();
  const begun = { ...film, units: [...units.slice(1), units[0]!] };
  await using camera = await RtspCamera.start({ film: begun });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'stalled', 'no_key_frame');
  await until(media, 'a', 'live');
  assert.equal(camera.connections, 1);
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** What firmware does that no standard says, and how many connections it takes. */
const quirks: readonly [Quirk, string, number][] = [
  ['bare-base', 'a Content-Base without a scheme', 1],
  ['path-base', 'a Content-Base that is a path', 1],
  ['session-each', 'another session with each stream, of which the first alone plays', 1],
  ['grants-udp', 'UDP where it was asked for TCP', 2],
  ['no-range', '457 when a range is named', 1],
  ['joined-units', 'parameter sets and key picture as one unit', 1],
  ['back-channel', 'a back channel before its video, and 500 to who wants it', 1],
  ['bare-lf', 'lines that end by half', 1],
  ['bare-transport', 'TCP without channels', 1],
  ['blank-sdp', 'a description with blanks where none belong', 1],
  ['cseq-zero', 'sequence 0 to everything', 1],
  ['double-scheme', 'a Content-Base with two schemes', 1],
  ['mute-options', 'nothing to OPTIONS', 1],
  ['no-range-455', '455 when a range is named', 1],
  ['torn-frames', 'with what is left of packets between packets', 1],
  ['ghost-session', 'with packets of a session that is over', 1],
  ['new-sender', 'with another sender in each second', 1],
  ['twice', 'each packet twice', 1],
];
for (const [quirk, what, connections] of quirks) {
  test(`a camera that answers ${what} is shown, with its sound`, { timeout }, async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, quirk, sound: 'aac' });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, { sound: true }));
    const health = await until(media, 'a', 'live');
    assert.deepEqual([health.codec, health.width], ['h264', film.width]);
    const viewer = new Watcher();
    using _ = media.join('a', viewer);
    await viewer.has(2 * film.fps);
    assert.equal(camera.connections, connections);
  });
}

test('a camera that refuses its sound shows its pictures without it', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film, quirk: 'no-sound', sound: 'aac' });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url, { sound: true }));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(film.fps);
  assert.equal(camera.connections, 1);
});

test('packets of a session that is over are no pictures', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film, quirk: 'ghost-session' });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(3 * film.fps);
  const times = viewer.pieces.slice(film.fps).map((piece) => timeOf(piece)!.decode);
  const steps = times.slice(1).map((time, index) => time - times[index]!);
  assert.deepEqual([...new Set(steps)], [90_000 / film.fps], 'one after another, none twice');
});

const keepAlives: readonly [Quirk, string][] = [
  ['silent-keepalive', 'does not answer GET_PARAMETER'],
  ['no-get-parameter', 'does not know GET_PARAMETER, and says so'],
];
for (const [quirk, what] of keepAlives) {
  test(`a camera that ${what} is asked by OPTIONS`, { timeout }, async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, quirk, sessionTimeoutS: 3 });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    await camera.hasPlayed(6 * film.fps);
    const asked = camera.received.filter((request) => request.startsWith('OPTIONS '));
    // The first comes before the session.
    assert.ok(asked.filter((request) => request.includes('Session: 1')).length >= 2);
    assert.equal(camera.connections, 1);
  });
}

test('however short a session lives, it is kept alive once a second', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film, quirk: 'short-session' });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'live');
  await camera.hasPlayed(4 * film.fps);
  const asked = camera.received.filter((request) => request.startsWith('GET_PARAMETER '));
  assert.ok(asked.length >= 2 && asked.length <= 10, `${asked.length} in four seconds`);
});

test(
  'a camera that serves few viewers learns when a session ends, and says when there are too many',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, quirk: 'two-sessions' });
    await using media = openMedia(folder);
    for (let round = 0; round < 3; round++) {
      media.watch(aCamera('a', camera.url, { rotation: round === 1 ? 90 : 0 }));
      while (camera.sessions !== 1 || camera.connections !== round + 1) await pause();
      await until(media, 'a', 'live');
    }
    media.unwatch('a');
    while (camera.sessions > 0) await pause();
    assert.equal(camera.connections, 3);
    camera.sessions = 2;
    media.watch(aCamera('b', camera.url));
    await until(media, 'b', 'offline', 'busy');
  },
);

/** Two cameras' groups of five pictures in turn: other parameters with each key picture. */
function inTurns(other: Film): Film {
  const groups = (of: Film) =>
    Array.from({ length: of.pictures / 5 }, (_, index) => of.units.slice(index * 5, index * 5 + 5));
  const [mine, theirs] = [groups(makeFilm({ ...smallFilm, gop: 5 })), groups(other)];
  const units = mine.flatMap((group, index) => [...group, ...theirs[index]!]);
  return { ...smallFilm, gop: 5, units, isKey: (index) => index % 5 === 0 };
}

const turns: readonly [string, () => Promise<Film>, number][] = [
  ['the same size', async () => filmOf({ bFrames: 0, shape: { ...smallFilm, gop: 5 } }), 2],
  // The pause of a second between two streams, in the 6 s that are watched.
  ['another size', async () => makeFilm({ ...smallFilm, width: 480, height: 272, gop: 5 }), 7],
];
for (const [what, other, most] of turns) {
  test(
    `a camera that alternates parameter sets of ${what} begins no new file and stream with each`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film: inTurns(await other()) });
      await using media = openMedia(folder);
      const opened: string[] = [];
      using _ = media.recorded.on(({ news }) => {
        if (news.kind === 'opened') opened.push(news.segment.stream);
      });
      media.record('a', {
        folder: folder.path,
        type: 'continuous',
        recordedUntilMs: 0,
        height: 2160,
      });
      media.watch(aCamera('a', camera.url));
      await until(media, 'a', 'live');
      const viewer = new Watcher();
      using _viewer = media.join('a', viewer);
      await viewer.has(6 * film.fps);
      const streams = viewer.said('stream').length;
      assert.ok(
        streams <= most && opened.length <= most,
        `${streams} streams, ${opened.length} files`,
      );
      assert.ok(opened.length >= 1);
    },
  );
}
