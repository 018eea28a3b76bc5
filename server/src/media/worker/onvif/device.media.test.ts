/** ONVIF cameras, honest and hostile, asked through a media worker as by the server. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import type { DeviceDescription } from '@nazar/contract/devices.ts';
import type { Movement } from '@nazar/contract/movements.ts';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { OnvifCamera, type OnvifCameraOptions } from '@nazar/e2e/farm/onvif-camera.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { MoveAnswer, MoveTarget } from '../../protocol/worker-messages.ts';
import { Workers } from '../../server/workers.ts';

const workers = new Workers({ clock: systemClock, log: createLog('silent') });
after(() => workers[Symbol.asyncDispose]());
const timeout = 60_000;
const here = { allowLoopback: true, networks: [], ownPorts: [], fileRoots: [] };
const login = { username: 'admin', password: 'canary-Pa55' };
const streamUrls = ['rtsp://10.9.9.9:554/main?a=1', 'rtsp://user:secret@10.9.9.9/sub'];

async function described(url: string, given = login, reach = here): Promise<DeviceDescription> {
  const question = { kind: 'device', reach, device: { url, ...given } } as const;
  return (await workers.ask<DeviceDescription>(question, 15_000)).head;
}

async function moved(
  url: string,
  movement: Movement | null,
  target: MoveTarget | null = null,
): Promise<MoveAnswer> {
  const question = { kind: 'movement', reach: here, device: { url, ...login }, target, movement };
  return (await workers.ask<MoveAnswer>({ ...question, kind: 'movement' }, 15_000)).head;
}

test(
  'a camera names its streams, at its own address and without a password',
  { timeout },
  async () => {
    await using camera = await OnvifCamera.start({ ...login, streamUrls, moves: true });
    assert.deepEqual(await described(camera.url), {
      outcome: 'found',
      manufacturer: 'Acme',
      model: 'Dome 1',
      streams: [
        {
          name: 'Stream 0',
          url: 'rtsp://127.0.0.1:554/main?a=1',
          codec: 'H264',
          width: 1920,
          height: 1080,
          fps: 25,
        },
        {
          name: 'Stream 1',
          url: 'rtsp://127.0.0.1/sub',
          codec: 'H264',
          width: 640,
          height: 360,
          fps: 25,
        },
      ],
      moves: true,
    });
  },
);

test('C-602 secrets in the streams of a device are masked, and texts that can be read in two ways left out', async () => {
  const urls = [
    'rtsp://10.9.9.9/user=admin&amp;password=canary-Pa55&amp;channel=1',
    'rtsp://admin:canary/Pa55@10.9.9.9/main',
    'rtsp://admin:1234/canary-Pa55@10.9.9.9/sub',
  ];
  await using camera = await OnvifCamera.start({ ...login, streamUrls: urls });
  const { streams } = await described(camera.url);
  assert.deepEqual(
    streams.map(({ url }) => url),
    ['rtsp://127.0.0.1/user=admin&password=***&channel=1', 'rtsp://127.0.0.1/main'],
  );
});

test(
  'a wrong password, a device that is no camera, and no device at all are distinguished',
  { timeout },
  async () => {
    await using camera = await OnvifCamera.start({ ...login, streamUrls });
    const wrong = { ...login, password: 'wrong' };
    assert.equal((await described(camera.url, wrong)).outcome, 'password_refused');
    await using none = await OnvifCamera.start({
      instead: { GetSystemDateAndTime: '<html>Hello</html>' },
    });
    assert.equal((await described(none.url)).outcome, 'not_onvif');
    const gone = await OnvifCamera.start();
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    assert.equal((await described(url)).outcome, 'unreachable');
  },
);

test('C-510 no device is asked at an address that no camera may have', { timeout }, async () => {
  let connections = 0;
  const server = createServer(() => (connections += 1));
  const port = await listenOnLoopback(server);
  const strict = { ...here, allowLoopback: false };
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'ftp://127.0.0.1/',
    'rubbish',
  ]) {
    assert.equal((await described(url, login, strict)).outcome, 'address_refused', url);
  }
  assert.equal(connections, 0);
  server.close();
});

const hostile: readonly [string, OnvifCameraOptions['instead']][] = [
  ['an endless answer', { GetProfiles: `<a>${'x'.repeat(3_000_000)}</a>` }],
  ['an answer a hundred thousand elements deep', { GetServices: '<a>'.repeat(100_000) }],
  ['entities', { GetProfiles: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;&b;</a>' }],
  ['another answer', { GetProfiles: '<e:Envelope xmlns:e="e"><e:Body><x/></e:Body></e:Envelope>' }],
  ['nothing', { GetServices: '', GetCapabilities: '', GetProfiles: '' }],
];
for (const [name, instead] of hostile) {
  test(`C-515 ${name} is no camera, and the next question is answered`, { timeout }, async () => {
    await using camera = await OnvifCamera.start({ streamUrls, instead: instead ?? {} });
    const { outcome, streams } = await described(camera.url);
    assert.notEqual(outcome, 'found', name);
    assert.deepEqual(streams, []);
    await using honest = await OnvifCamera.start({ streamUrls });
    assert.equal((await described(honest.url)).outcome, 'found');
  });
}

test(
  'C-515 markup in names stays text, and tokens that would break a request are left out',
  { timeout },
  async () => {
    const profiles = `<e:Envelope xmlns:e="e"><e:Body><GetProfilesResponse>
<Profiles token="a&lt;/ProfileToken&gt;"><Name>evil</Name></Profiles>
<Profiles token="b"><Name>&lt;script&gt;&#x202e;</Name></Profiles></GetProfilesResponse></e:Body></e:Envelope>`;
    await using camera = await OnvifCamera.start({
      streamUrls,
      instead: { GetProfiles: profiles },
    });
    const { streams } = await described(camera.url);
    assert.deepEqual(
      streams.map(({ name }) => name),
      ['<script>'],
    );
  },
);

test(
  'a camera moves, stops and goes to a preset, each by one request once it is known',
  { timeout },
  async () => {
    await using camera = await OnvifCamera.start({ ...login, streamUrls, moves: true });
    const first = await moved(camera.url, null);
    assert.deepEqual(
      [first.outcome, first.presets],
      [
        'found',
        [
          { token: '1', name: 'Door' },
          { token: '2', name: 'Yard' },
        ],
      ],
    );
    const before = camera.asked.length;
    const { target } = first;
    await moved(camera.url, { kind: 'move', x: 0.5, y: -1, zoom: 0, for_ms: 1_000 }, target);
    await moved(camera.url, { kind: 'move', x: 0, y: 0, zoom: 1, for_ms: 500 }, target);
    await moved(camera.url, { kind: 'preset', preset: '2' }, target);
    assert.equal((await moved(camera.url, { kind: 'stop' }, target)).outcome, 'found');
    assert.deepEqual(camera.asked.slice(before), [
      'ContinuousMove',
      'ContinuousMove',
      'GotoPreset',
      'Stop',
    ]);
    const [turn = '', zoom = '', place = ''] = camera.movements;
    assert.match(turn, /PanTilt[^>]* x="0.5" y="-1"/);
    assert.match(turn, /PT1S/);
    assert.match(zoom, /Zoom[^>]* x="1"/);
    assert.doesNotMatch(zoom, /PanTilt/);
    assert.match(place, /<PresetToken>2<\/PresetToken>/);
  },
);

test('a camera that does not move says so', { timeout }, async () => {
  await using camera = await OnvifCamera.start({ streamUrls });
  const { outcome, target, presets } = await moved(camera.url, { kind: 'stop' });
  assert.deepEqual([outcome, target, presets], ['found', null, []]);
});
