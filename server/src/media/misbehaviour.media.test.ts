/** Cameras that misbehave in every way the farm knows: the right state and cause, and back by themselves. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { test } from 'node:test';
import type { IngestCause, IngestState } from '@nazar/contract/cameras.ts';
import type { Behaviour } from '@nazar/e2e/farm/behaviour.ts';
import { makeFilm, smallFilm } from '@nazar/e2e/farm/film.ts';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { certificateFolder } from '#testing/certificates.ts';
import { aCamera, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';

const film = makeFilm();
const timeout = 90_000;
const ok: Behaviour = { kind: 'ok' };

const cases: readonly [Behaviour, IngestState, IngestCause][] = [
  [{ kind: 'drop', after: 20 }, 'offline', 'ended'],
  [{ kind: 'hang', after: 0 }, 'stalled', 'no_packets'],
  [{ kind: 'hang', after: 20 }, 'stalled', 'no_packets'],
  [{ kind: 'drip', after: 20 }, 'stalled', 'no_packets'],
  [{ kind: 'rubbish', after: 0 }, 'offline', 'not_video'],
  [{ kind: 'rubbish', after: 20 }, 'offline', 'damaged'],
  [{ kind: 'missing' }, 'offline', 'not_found'],
];

for (const [behaviour, state, cause] of cases) {
  const after = 'after' in behaviour ? ` after ${behaviour.after}` : '';
  const title = `R-04 R-07 a camera that does "${behaviour.kind}"${after} is ${state}, ${cause}, and comes back`;
  test(title, { timeout, concurrency: true }, async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, behaviour });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    const health = await until(media, 'a', state, cause);
    assert.ok(health.retry_at);
    camera.behaviour = ok;
    await until(media, 'a', 'live');
  });
}

test('a camera is connecting during its first attempt', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film, behaviour: { kind: 'hang', after: 0 } });
  await using media = openMedia(folder);
  const states: string[] = [];
  using _ = media.healthChanged.on(({ health }) => states.push(health.state));
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'stalled', 'no_packets');
  assert.deepEqual([...new Set(states)], ['connecting', 'stalled']);
});

test(
  'R-04 a closed port is unreachable, and the camera comes back with it',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    await camera.close();
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'offline', 'unreachable');
    await camera.listen();
    await until(media, 'a', 'live');
    await camera.close();
    await until(media, 'a', 'offline', 'unreachable');
  },
);

for (const scheme of ['basic', 'digest'] as const) {
  test(
    `a wrong ${scheme} password is refused, and a corrected one is tried at once`,
    { timeout },
    async () => {
      const credentials = { scheme, username: 'admin', password: 's3cr:t/p@ss %' };
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film, credentials });
      await using media = openMedia(folder);
      media.watch(aCamera('a', camera.url, { username: 'admin', password: 'wrong' }));
      const health = await until(media, 'a', 'refused', 'password_refused');
      assert.ok(Date.parse(health.retry_at!) - Date.parse(health.since!) >= 60_000);
      media.watch(aCamera('a', camera.url, credentials));
      await until(media, 'a', 'live');
    },
  );
}

test('a session is kept alive as often as the camera asks for', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film, sessionTimeoutS: 2 });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'live');
  await camera.hasPlayed(3 * film.fps);
  const said = camera.received.filter((request) => request.startsWith('GET_PARAMETER '));
  assert.ok(said.length >= 2, camera.received.join('\n\n'));
  assert.ok(said.every((request) => request.includes('Session: 1')));
  assert.equal(camera.connections, 1);
});

test(
  'a camera that does not understand our RTSP client is read by FFmpeg',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, talksTo: 'Lavf' });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    const { codec, width } = await until(media, 'a', 'live');
    assert.deepEqual([codec, width, camera.connections], ['h264', film.width, 2]);
  },
);

test(
  'a camera that refuses TCP sends its packets by UDP, and is noticed when it stops',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film, udpOnly: true });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    const health = await until(media, 'a', 'live');
    assert.deepEqual([health.codec, health.width], ['h264', film.width]);
    assert.equal(camera.connections, 2, 'TCP was asked for first');
    const viewer = new Watcher();
    using _ = media.join('a', viewer);
    // This is longer than a connection may be silent: with UDP the RTSP connection is silent for minutes.
    await viewer.has(7 * film.fps);
    assert.equal(camera.connections, 2);
    camera.behaviour = { kind: 'freeze' };
    await until(media, 'a', 'stalled', 'no_packets');
    camera.behaviour = { kind: 'ok' };
    await until(media, 'a', 'live');
  },
);

test(
  'C-514 RTSPS: only the pinned certificate is trusted, and no other server gets the password',
  { timeout },
  async () => {
    const credentials = { scheme: 'basic', username: 'admin', password: 's3cr:t/p@ss %' } as const;
    using folder = mediaFolder();
    using certificates = certificateFolder();
    const pair = await certificates.make(['127.0.0.1']);
    await using camera = await RtspCamera.start({ film, credentials });
    const sockets = new Set<Socket>();
    const tlsServer = createTlsServer(pair, (socket) => {
      const inner = connect(camera.port, '127.0.0.1');
      for (const one of [socket, inner]) {
        sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => void (socket.destroy(), inner.destroy()));
      }
      socket.pipe(inner).pipe(socket);
    });
    tlsServer.on('tlsClientError', () => undefined);
    const url = `rtsps://127.0.0.1:${await listenOnLoopback(tlsServer)}/stream`;
    await using media = openMedia(folder);
    media.watch(aCamera('a', url, credentials));
    await until(media, 'a', 'offline', 'certificate_refused');
    assert.deepEqual(camera.received, []);
    const certificate = new X509Certificate(pair.cert).fingerprint256
      .replaceAll(':', '')
      .toLowerCase();
    media.watch(aCamera('a', url, { ...credentials, certificate }));
    await until(media, 'a', 'live');
    for (const socket of sockets) socket.destroy();
    tlsServer.close();
  },
);

test('C-510 a camera on this machine is refused unless it is allowed', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openMedia(folder, { allowLoopback: false });
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'offline', 'address_refused');
  assert.equal(camera.connections, 0);
});

test(
  'C-512 a redirect is followed, and credentials stay with the host they are for',
  { timeout },
  async () => {
    const credentials = { scheme: 'basic', username: 'admin', password: 'canary' } as const;
    using folder = mediaFolder();
    await using there = await RtspCamera.start({ film });
    const behaviour: Behaviour = { kind: 'redirect', to: there.url };
    await using here = await RtspCamera.start({ film, behaviour });
    await using media = openMedia(folder);
    media.watch(aCamera('a', here.url, credentials));
    await until(media, 'a', 'live');
    assert.ok(there.received.length > 0);
    assert.ok(!there.received.some((request) => /authorization/i.test(request)));
  },
);

test('R-07 five hung cameras starve no healthy one in the same host', { timeout }, async () => {
  using folder = mediaFolder();
  const behaviour: Behaviour = { kind: 'hang', after: 5 };
  await using healthy = await RtspCamera.start({ film });
  await using hung = new AsyncDisposableStack();
  await using media = openMedia(folder, { camerasPerHost: 6 });
  media.watch(aCamera('healthy', healthy.url));
  await until(media, 'healthy', 'live');
  for (let index = 0; index < 5; index++) {
    const camera = hung.use(await RtspCamera.start({ film, behaviour }));
    media.watch(aCamera(`hung-${index}`, camera.url));
  }
  const viewer = new Watcher();
  using _ = media.join('healthy', viewer);
  await Promise.all([0, 1, 2, 3, 4].map((index) => until(media, `hung-${index}`, 'stalled')));
  const before = viewer.pieces.length;
  await viewer.has(before + 50);
  assert.equal(healthy.connections, 1);
});

test('new parameter sets begin a new stream for the same viewers', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'live');
  const viewer = new Watcher();
  using _ = media.join('a', viewer);
  await viewer.has(10);
  camera.film = makeFilm({ ...smallFilm, width: 480, height: 272 });
  while (viewer.said('stream').length < 2) await viewer.has(viewer.pieces.length + 1);
  assert.deepEqual(
    viewer.said('stream').map(({ width, height }) => [width, height]),
    [
      [320, 184],
      [480, 272],
    ],
  );
  assert.equal(camera.connections, 1);
});
