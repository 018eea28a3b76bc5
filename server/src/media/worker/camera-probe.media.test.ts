/** The connection test by a real media worker, against cameras that behave and misbehave. */
import assert from 'node:assert/strict';
import { createServer as createPages } from 'node:http';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { Behaviour } from '@nazar/e2e/farm/behaviour.ts';
import { makeFilm, makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { MjpegCamera } from '@nazar/e2e/farm/mjpeg-camera.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { Reachable } from '../protocol/messages.ts';
import type { ConnectionAnswer, WorkerReach } from '../protocol/worker-messages.ts';
import { WorkerLost, Workers } from '../server/workers.ts';

const log = createLog('silent');
const workers = new Workers({ clock: systemClock, log });
after(() => workers[Symbol.asyncDispose]());
const film = makeFilm();
const jpegs = await makeJpegs({ ...smallFilm, pictures: 10 });
const here: WorkerReach = {
  allowLoopback: true,
  networks: [],
  ownPorts: [],
  fileRoots: [],
};
const timeout = 60_000;

async function asked(
  camera: Partial<Reachable> & { readonly url: string },
  { reach = here, timeoutMs = 5_000 } = {},
): Promise<ConnectionAnswer> {
  const reachable = { type: 'ip', username: '', password: '', certificate: '', ...camera } as const;
  const ask = { kind: 'connection', reach, camera: reachable, timeoutMs } as const;
  const question = { ...ask, wantsStill: false } as const;
  return (await workers.ask<ConnectionAnswer>(question, timeoutMs)).head;
}

test('NSH-014 an RTSP camera answers with codec, size, rate and latency', { timeout }, async () => {
  await using camera = await RtspCamera.start({ film });
  const answer = await asked({ url: camera.url });
  const { cause, codec, width, height, contentType } = answer;
  assert.deepEqual(
    [cause, codec, width, height, contentType],
    ['none', 'h264', smallFilm.width, smallFilm.height, null],
  );
  assert.ok(answer.fps !== null && answer.fps > 0 && answer.latencyMs !== null);
});

test(
  'NSH-014 a camera whose pictures no decoder can begin with is not connected',
  { timeout },
  async () => {
    const keyless = film.units.filter((_, index) => !film.isKey(index));
    await using camera = await RtspCamera.start({ film: { ...film, units: keyless } });
    assert.equal((await asked({ url: camera.url })).cause, 'no_key_frame');
  },
);

test(
  '~CAM-055, ~CAM-056 an HTTP camera answers with its content type and a measured rate',
  { timeout },
  async () => {
    const credentials = { scheme: 'digest', username: 'viewer', password: 'pässword' } as const;
    await using camera = await MjpegCamera.start({ jpegs, fps: 10, credentials });
    const { username, password } = credentials;
    const answer = await asked({ type: 'http', url: camera.url, username, password });
    assert.deepEqual([answer.cause, answer.codec], ['none', 'mjpeg']);
    assert.match(answer.contentType ?? '', /^multipart\/x-mixed-replace;\s*boundary=/);
    assert.ok(answer.fps !== null && answer.fps > 0);
  },
);

test(
  '~CAM-054, ~CFL-038 a page is really asked for and recognized by its content type, whatever its address looks like',
  { timeout },
  async () => {
    const paths: (string | undefined)[] = [];
    const server = createPages(({ url }, answer) => {
      paths.push(url);
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>A camera</title>');
    });
    const port = await listenOnLoopback(server);
    for (const path of ['/viewer.html', '/view']) {
      const answer = await asked({ type: 'http', url: `http://127.0.0.1:${port}${path}` });
      assert.deepEqual([answer.cause, answer.contentType], ['not_video', 'text/html']);
      assert.ok(paths.includes(path), 'nothing is assumed of an address');
    }
    server.close();
  },
);

const cases: readonly [Behaviour, IngestCause][] = [
  [{ kind: 'hang', after: 0 }, 'no_packets'],
  [{ kind: 'rubbish', after: 0 }, 'not_video'],
  [{ kind: 'missing' }, 'not_found'],
  [{ kind: 'refuse' }, 'password_refused'],
];
for (const [behaviour, cause] of cases) {
  test(
    `C-513 a camera that does "${behaviour.kind}" is answered ${cause}`,
    { timeout },
    async () => {
      await using camera = await RtspCamera.start({ film, behaviour });
      assert.equal((await asked({ url: camera.url }, { timeoutMs: 1_500 })).cause, cause);
    },
  );
}

test(
  'C-510, C-513 this machine, metadata and a closed port: none is dialled, or none answers',
  { timeout },
  async () => {
    let connections = 0;
    const server = createServer(() => (connections += 1));
    const port = await listenOnLoopback(server);
    const strict = { ...here, allowLoopback: false };
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '8.8.8.8',
    ]) {
      const answer = await asked({ url: `rtsp://${host}:${port}/` }, { reach: strict });
      assert.equal(answer.cause, 'address_refused', host);
    }
    assert.equal(connections, 0);
    server.close();
    assert.equal((await asked({ url: `rtsp://127.0.0.1:${port}/` })).cause, 'unreachable');
  },
);

test(
  'R-06 a worker that dies on a question is reported, and the next question gets another worker',
  { timeout },
  async () => {
    await using own = new Workers({ clock: systemClock, log });
    await using camera = await RtspCamera.start({ film, behaviour: { kind: 'hang', after: 0 } });
    const reachable = {
      type: 'ip',
      url: camera.url,
      username: '',
      password: '',
      certificate: '',
    } as const;
    const question = {
      kind: 'connection',
      wantsStill: false,
      reach: here,
      camera: reachable,
      timeoutMs: 20_000,
    } as const;
    // It would answer after 5 s of silence; the server waits no longer than a process takes to start.
    await assert.rejects(own.ask({ ...question }, -4_900), WorkerLost);
    assert.equal(own.processes, 0);
    camera.behaviour = { kind: 'ok' };
    const { head } = await own.ask<ConnectionAnswer>({ ...question, timeoutMs: 5_000 }, 5_000);
    assert.equal(head.cause, 'none');
    assert.equal(own.processes, 1);
  },
);
