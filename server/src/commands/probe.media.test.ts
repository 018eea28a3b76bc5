/** `npm run probe` against the farm: what its file says, what it never says, and that it always ends in time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Behaviour } from '@nazar/e2e/farm/behaviour.ts';
import { makeFilm, makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { HlsCamera } from '@nazar/e2e/farm/hls-camera.ts';
import { MjpegCamera } from '@nazar/e2e/farm/mjpeg-camera.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import type { Diagnosis } from '#media/protocol/diagnosis-messages.ts';
import type { Reachable } from '#media/protocol/messages.ts';
import { Workers } from '#media/server/workers.ts';
import { makeHlsFilm } from '#testing/hls-film.ts';
import { reportOf } from './probe/report.ts';
import { isUsable, verdictOf } from './probe/verdict.ts';

const timeout = 60_000;
const film = makeFilm();
const workers = new Workers({ clock, log: createLog('silent') });
after(() => workers[Symbol.asyncDispose]());
const reach = { allowLoopback: true, networks: [], ownPorts: [], fileRoots: [] };

/** As the command asks it, for a shorter time. */
async function probed(camera: Partial<Reachable> & { readonly url: string }, measureMs = 2_000) {
  const asked = { type: 'ip', username: '', password: '', certificate: '', ...camera } as const;
  const question = {
    kind: 'diagnosis',
    reach,
    camera: asked,
    openTimeoutMs: 8_000,
    measureMs,
  } as const;
  const diagnosis = (await workers.ask<Diagnosis>(question, 20_000)).head;
  return { diagnosis, report: reportOf(asked, diagnosis, new Date(0)) };
}

test('the file says how a camera is read and how its stream arrives', { timeout }, async () => {
  await using camera = await RtspCamera.start({ film, sound: 'aac' });
  const { diagnosis, report } = await probed({ url: camera.url }, 2_500);
  const { cause, pictures, sound, packets, decoded, openedMs } = diagnosis;
  assert.deepEqual(
    [cause, decoded],
    ['none', { width: smallFilm.width, height: smallFilm.height }],
  );
  assert.ok(pictures && sound && openedMs !== null);
  assert.ok(pictures.pictures >= 50 && pictures.pictures <= 70, String(pictures.pictures));
  assert.deepEqual([pictures.keyPictures, pictures.longestGroup], [3, film.gop]);
  assert.deepEqual([pictures.steps?.median, pictures.keySteps?.median], [40, 1_000]);
  const largest = Math.max(...film.units.map((unit) => unit.length));
  assert.ok(Math.abs(pictures.largestBytes - largest) < 32, `${pictures.largestBytes} ${largest}`);
  assert.ok(sound.codec === 'aac' && sound.frames > 10);
  assert.deepEqual(
    packets.map((stream) => stream.lost),
    [0, 0],
  );
  for (const line of [
    'Nazar can use this camera. A picture was decoded (H.264, 320x184).',
    "RTSP over TCP (interleaved), by Nazar's own client",
    'scheme rtsp, an IPv4 address, port ',
    'user name not given, password not given',
    'between key frames: 1000 to 1000 ms',
    'answer to DESCRIBE',
    'a=rtpmap:96 H264/90000',
    'aac, ',
  ])
    assert.ok(report.includes(line), `${line}\n${report}`);
});

test(
  'lost packets, and a camera that sends by UDP only, are reported with what to do',
  { timeout },
  async () => {
    await using losing = await RtspCamera.start({ film, quirk: 'loses-packets' });
    const { diagnosis } = await probed({ url: losing.url });
    const [stream] = diagnosis.packets;
    assert.ok(stream && stream.gaps >= 2 && stream.lost >= stream.gaps);
    assert.match(
      verdictOf(diagnosis).join('\n'),
      /packets are missing in \d+ places\. Check the cable/,
    );
    await using udp = await RtspCamera.start({ film, quirk: 'grants-udp' });
    const other = await probed({ url: udp.url });
    assert.ok(isUsable(other.diagnosis));
    assert.match(
      other.report,
      /by FFmpeg behind a relay, packets over UDP, because the camera does not send over TCP/,
    );
    assert.match(verdictOf(other.diagnosis).join('\n'), /UDP only, which loses frames/);
  },
);

test(
  'a camera that only FFmpeg understands is read through the relay, which counts its packets',
  { timeout },
  async () => {
    await using camera = await RtspCamera.start({ film, talksTo: 'Lavf' });
    const { diagnosis, report } = await probed({ url: camera.url });
    assert.ok(isUsable(diagnosis), report);
    assert.match(
      report,
      /by FFmpeg behind a relay, packets over TCP, because the camera answered 551 to Nazar's own client/,
    );
    const [stream] = diagnosis.packets;
    assert.ok(stream && stream.packets >= 40 && stream.lost === 0 && stream.jitterMs !== null);
    assert.match(report, /a=rtpmap:96 H264\/90000/);
  },
);

test(
  'HTTP cameras: MJPEG by itself or a picture a second, and HLS with its streams',
  { timeout },
  async () => {
    const jpegs = await makeJpegs({ ...smallFilm, pictures: 10 });
    await using mjpeg = await MjpegCamera.start({ jpegs, fps: 10 });
    const many = await probed({ url: mjpeg.url });
    assert.ok(isUsable(many.diagnosis));
    assert.match(many.report, /HTTP, JPEGs one after another/);
    assert.match(many.report, /content-type: multipart\/x-mixed-replace/);
    assert.match(many.report, /Browsers play H\.264 unchanged/);
    await using still = await MjpegCamera.start({ jpegs, fps: 10, onePictureEach: true });
    assert.match((await probed({ url: still.url })).report, /a JPEG requested once a second/);
    await using hls = await HlsCamera.start({
      film: await makeHlsFilm('mpegts', 6),
      hasChoice: true,
    });
    const played = await probed({ url: hls.url });
    assert.ok(isUsable(played.diagnosis), played.report);
    assert.match(played.report, /HLS with streams of 1000, 900000 bit\/s/);
    assert.match(played.report, /#EXT-X-TARGETDURATION:\d/);
    assert.ok(!/\.seg|\.m3u8/.test(played.report));
  },
);

const faults: readonly [Behaviour, string, RegExp][] = [
  [
    { kind: 'hang', after: 0 },
    'no_packets',
    /^The camera didn't send video in time\. \(no_packets\)$/,
  ],
  [
    { kind: 'hang', after: 30 },
    'no_packets',
    /^A picture was decoded .*, but \d+\.\d s after it opened: The camera didn't/,
  ],
  [
    { kind: 'drop', after: 30 },
    'ended',
    /but .* after it opened: The camera ended the stream\. \(ended\)$/,
  ],
  [{ kind: 'refuse' }, 'password_refused', /^The camera refused the user name or password\./],
  [{ kind: 'missing' }, 'not_found', /^There is no stream at this address\./],
  [{ kind: 'rubbish', after: 0 }, 'not_video', /^There is no video at this address\./],
  [{ kind: 'drip', after: 0 }, 'no_packets', /^The camera didn't send video in time\./],
  [{ kind: 'freeze' }, 'no_packets', /^The camera didn't send video in time\./],
];
for (const [behaviour, cause, sentence] of faults) {
  const when = 'after' in behaviour ? ` after ${behaviour.after}` : '';
  test(
    `a camera that does "${behaviour.kind}"${when}: ${cause}, in words, within 15 s`,
    { timeout },
    async () => {
      await using camera = await RtspCamera.start({ film, behaviour });
      const { diagnosis, report } = await probed({ url: camera.url }, 10_000);
      assert.deepEqual([diagnosis.cause, isUsable(diagnosis)], [cause, false]);
      assert.match(verdictOf(diagnosis)[0] ?? '', sentence);
      assert.ok(report.includes(verdictOf(diagnosis)[0] ?? '-'));
      assert.ok(diagnosis.tookMs < 15_000, `${diagnosis.tookMs} ms`);
    },
  );
}

test(
  'C-510 the rules for addresses hold: this machine is no camera unless it is allowed',
  { timeout },
  async () => {
    await using camera = await RtspCamera.start({ film });
    const run = started([camera.url], { CAMERA_ALLOW_LOOPBACK: '' });
    assert.equal((await run.ended).code, 1);
    assert.match(
      run.said(),
      /This address isn't allowed\. A camera needs an address of your own network, such as 192\.168\.1\.20, or of a network in NAZAR_CAMERA_NETWORKS\. \(address_refused\)/,
    );
    assert.equal(camera.connections, 0);
  },
);

/** Each is a secret, or a name, and in no other word. */
const canaries = {
  username: 'canaryuser',
  password: 'canary:P@55/w',
  path: '/canary-house/canarytoken42',
  serial: '3J0CANARY77',
  name: 'Canary street 5, Anna',
} as const;

const talkative = {
  heads: [
    `Server: Farm/1.0 (${canaries.serial})`,
    `X-Device: ${canaries.serial}`,
    `X-Name: ${canaries.name}`,
  ],
  sdp: [
    `i=${canaries.serial} ${canaries.name}`,
    `a=tool:${canaries.serial}`,
    'a=geo:40.40932,49.86715',
    `u=${canaries.name}`,
  ],
};

test(
  '~C-604 no account, address, path, serial number or name is in the file, shown, or among the processes',
  { timeout },
  async () => {
    const { username, password, path } = canaries;
    const credentials = { scheme: 'digest', username, password } as const;
    await using camera = await RtspCamera.start({ film, credentials, path, says: talkative });
    const [, host = ''] = /rtsp:\/\/([^/]+)\//.exec(camera.url) ?? [];
    const whole = `rtsp://${username}:${encodeURIComponent(password)}@${host}${path}`;
    // One types it at the prompt of a pipe, the other as a word of the command.
    const piped = started([], {}, `rtsp://${username}@${host}${path}\n${password}\n`);
    const typed = started([whole], {});
    await Promise.all([piped.isReading, typed.isReading]);
    await Promise.race([camera.hasPlayed(20), piped.ended, typed.ended]);
    const seen = [...wordsOf(piped.pid), ...wordsOf(typed.pid)];
    assert.ok(seen.filter((words) => words.includes('media-worker')).length >= 2, seen.join('\n'));
    const [first, second] = await Promise.all([piped.ended, typed.ended]);
    assert.deepEqual([first.code, second.code], [0, 0], piped.said() + typed.said());
    for (const { file } of [first, second]) {
      assert.match(file, /user name given, password given/);
      assert.match(file, /s=\(left out\)/);
      assert.match(file, /server: Farm 1\.0 \(left out\)/);
    }
    assert.match(typed.said(), /stays in the history of your shell/);
    assert.ok(!piped.said().includes('history'));
    const everything = [first.file, second.file, piped.said(), typed.said(), ...seen].join('\n');
    const words = [
      ...Object.values(canaries),
      encodeURIComponent(password),
      '127.0.0.1',
      'canary',
      'anna',
      'farm"',
      '40.409',
      '49.867',
    ];
    for (const word of words)
      assert.ok(!everything.toLowerCase().includes(word.toLowerCase()), `${word}\n${everything}`);
  },
);

test('Ctrl-C ends it at once, with its processes, and writes no file', { timeout }, async () => {
  await using camera = await RtspCamera.start({ film });
  const run = started([camera.url], {});
  await run.isReading;
  await Promise.race([camera.hasPlayed(5), run.ended]);
  const children = childrenOf(run.pid);
  assert.ok(children.length > 0);
  process.kill(run.pid, 'SIGINT');
  const { code, file } = await run.ended;
  assert.deepEqual([code, file], [1, '']);
  assert.match(run.said(), /Stopped\.\n$/);
  for (const pid of children) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test(
  'a word too many, and a fingerprint that is none, are answered with the usage',
  { timeout },
  async () => {
    for (const words of [
      ['rtsp://192.168.1.20/', 'more'],
      ['--certificate', 'abc'],
      ['--password', 'x'],
    ]) {
      const run = started(words, {});
      assert.equal((await run.ended).code, 1);
      assert.match(run.said(), /^Usage:\n {2}npm run probe /);
    }
  },
);

/** Runs the command in an empty folder. `typed`: what comes on its standard input. */
function started(words: readonly string[], more: NodeJS.ProcessEnv, typed = '') {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-probe-'));
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, INIT_CWD: folder, CAMERA_ALLOW_LOOPBACK: '1', ...more };
  const child = spawn(process.execPath, [join(import.meta.dirname, 'probe.ts'), ...words], { env });
  const reading = Promise.withResolvers<void>();
  let said = '';
  const hear = (part: Buffer): void => {
    said += part.toString();
    if (said.includes('Press Ctrl-C')) reading.resolve();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  child.stdin.end(typed);
  const ended = once(child, 'close').then(([code]) => {
    reading.resolve();
    const files = readdirSync(folder);
    assert.ok(files.length <= 1 && files.every((name) => /^nazar-probe-[\dTZ-]+\.txt$/.test(name)));
    const [name] = files;
    const file = name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    if (name !== undefined) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    rmSync(folder, { recursive: true });
    return { code: code as number | null, file };
  });
  return { pid: child.pid ?? 0, isReading: reading.promise, ended, said: () => said };
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text.trim() !== '')
    .map(Number);

/** The words that everybody on this machine sees of a process and of its children. */
const wordsOf = (pid: number): string[] =>
  [pid, ...childrenOf(pid)].map((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8'));
