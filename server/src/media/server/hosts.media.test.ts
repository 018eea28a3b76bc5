/** What happens to cameras when processes die, and what no process ever reveals. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { systemClock, type Clock } from '#lib/clock.ts';
import {
  aCamera,
  hostsOf,
  mediaFolder,
  openMedia,
  textOf,
  until,
  Watcher,
} from '#testing/media.ts';

const film = makeFilm();
const timeout = 90_000;

test(
  'R-06 a killed host takes only its own cameras with it, and they come back',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using one = await RtspCamera.start({ film });
    await using two = await RtspCamera.start({ film });
    await using media = openMedia(folder, { camerasPerHost: 1 });
    media.watch(aCamera('one', one.url));
    media.watch(aCamera('two', two.url));
    await Promise.all(['one', 'two'].map((id) => until(media, id, 'live')));
    const first = new Watcher();
    const second = new Watcher();
    using _first = media.join('one', first);
    using _second = media.join('two', second);
    await Promise.all([first.has(5), second.has(5)]);
    const lost = until(media, 'one', 'connecting', 'host_restarting');
    process.kill(hostsOf(folder).get('media-1')!, 'SIGKILL');
    await lost;
    await until(media, 'one', 'live');
    await first.has(first.pieces.length + 10);
    assert.equal(first.said('stream').length, 2, 'the viewer stays and gets the new stream');
    assert.equal(second.said('stream').length, 1);
    assert.equal(two.connections, 1);
  },
);

test(
  'R-06 two crashes within a minute give each camera of that host a host of its own',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using one = await RtspCamera.start({ film });
    await using two = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    for (const [id, camera] of Object.entries({ one, two })) media.watch(aCamera(id, camera.url));
    await Promise.all(['one', 'two'].map((id) => until(media, id, 'live')));
    assert.equal(hostsOf(folder).size, 1);
    for (let crash = 0; crash < 2; crash++) {
      const lost = until(media, 'two', 'connecting', 'host_restarting');
      process.kill(hostsOf(folder).get('media-1')!, 'SIGKILL');
      await lost;
      await Promise.all(['one', 'two'].map((id) => until(media, id, 'live')));
    }
    assert.equal(hostsOf(folder).size, 2);
  },
);

/** A clock on which rests end when the test says so; everything else takes real time. */
function restlessClock(): { readonly clock: Clock; readonly endRest: () => void } {
  const rest = Promise.withResolvers<void>();
  let aheadMs = 0;
  const clock: Clock = {
    now: () => systemClock.now(),
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    wait: (ms, signal) => (ms >= 60_000 ? rest.promise : systemClock.wait(ms, signal)),
  };
  const endRest = (): void => {
    aheadMs = 60_000;
    rest.resolve();
  };
  return { clock, endRest };
}

test(
  'R-05 a camera whose host dies five times within a minute is left alone for a minute, and alone in that',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using bad = await RtspCamera.start({ film });
    await using good = await RtspCamera.start({ film });
    const { clock, endRest } = restlessClock();
    await using media = openMedia(folder, { camerasPerHost: 1, clock });
    for (const [id, camera] of Object.entries({ good, bad })) media.watch(aCamera(id, camera.url));
    await Promise.all(['good', 'bad'].map((id) => until(media, id, 'live')));
    for (let death = 1; death <= 5; death++) {
      await until(media, 'bad', 'live');
      const next = until(media, 'bad', death < 5 ? 'connecting' : 'offline');
      process.kill(hostsOf(folder).get('media-2')!, 'SIGSEGV');
      const { cause } = await next;
      assert.equal(cause, death < 5 ? 'host_restarting' : 'host_crashing');
    }
    const { since, retry_at } = media.health('bad');
    assert.equal(Date.parse(retry_at!) - Date.parse(since!), 60_000);
    const asked = bad.connections;
    // Watching all cameras again does not end its rest.
    media.watch(aCamera('bad', bad.url));
    assert.equal(media.health('bad').cause, 'host_crashing');
    endRest();
    await until(media, 'bad', 'live');
    assert.equal(bad.connections, asked + 1);
    assert.equal(good.connections, 1);
  },
);

test(
  'R-05 a camera that is left alone is tried at once when it is changed',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    for (let death = 1; death <= 5; death++) {
      await until(media, 'a', 'live');
      const next = until(media, 'a', death < 5 ? 'connecting' : 'offline');
      process.kill([...hostsOf(folder).values()][0]!, 'SIGKILL');
      await next;
    }
    media.watch(aCamera('a', camera.url, { password: 'new' }));
    await until(media, 'a', 'live');
  },
);

test('a server that comes back adopts its hosts; cameras did not notice', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  const before = openMedia(folder);
  before.watch(aCamera('a', camera.url));
  await until(before, 'a', 'live');
  const old = new Watcher();
  before.join('a', old);
  await old.has(5);
  const pid = hostsOf(folder).get('media-1');
  await before.release();
  assert.equal(old.closed, 'shutdown');

  await using after = openMedia(folder);
  after.watch(aCamera('a', camera.url));
  await until(after, 'a', 'live');
  const viewer = new Watcher();
  using _ = after.join('a', viewer);
  await viewer.has(20);
  assert.equal(hostsOf(folder).get('media-1'), pid);
  assert.equal(camera.connections, 1);
});

test(
  'CAM-044 a camera that is no longer watched is released, and so is its host',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const viewer = new Watcher();
    media.join('a', viewer);
    media.unwatch('a');
    assert.equal(viewer.closed, 'camera');
    assert.equal(media.health('a').state, 'off');
    assert.throws(() => media.join('a', new Watcher()));
    await media[Symbol.asyncDispose]();
    assert.equal(hostsOf(folder).size, 0);
  },
);

test(
  'C-503 C-604 a password is in no argument, environment, log or message',
  { timeout },
  async () => {
    const password = 'canary-7f3a/91:c@e';
    const forms = [
      password,
      encodeURIComponent(password),
      Buffer.from(`admin:${password}`).toString('base64'),
    ];
    const credentials = { scheme: 'digest', username: 'admin', password } as const;
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, credentials });
    const media = openMedia(folder);
    media.watch(aCamera('right', camera.url, credentials));
    media.watch(aCamera('wrong', camera.url, { username: 'admin', password: `${password}x` }));
    const withIt = camera.url.replace('rtsp://', `rtsp://admin:${encodeURIComponent(password)}@`);
    media.watch(aCamera('inside', withIt));
    await Promise.all([until(media, 'right', 'live'), until(media, 'inside', 'live')]);
    await until(media, 'wrong', 'refused');
    const viewer = new Watcher();
    media.join('right', viewer);
    await viewer.has(10);
    const texts: string[] = [
      ...viewer.texts,
      ...viewer.pieces.map((piece) => piece.toString('latin1')),
    ];
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      // This reads the hosts and this test's own process, which has the canary in its source, not in its arguments.
      texts.push(textOf(`/proc/${pid}/cmdline`), textOf(`/proc/${pid}/environ`));
    }
    await media[Symbol.asyncDispose]();
    for (const file of readdirSync(folder.logsDir)) texts.push(textOf(join(folder.logsDir, file)));
    for (const form of forms) assert.ok(!texts.some((text) => text.includes(form)));
  },
);
