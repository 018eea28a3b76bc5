/** The verdict on a diagnosis, in words, and the report around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Diagnosis,
  PacketFigures,
  PictureFigures,
} from '#media/protocol/diagnosis-messages.ts';
import { reportOf } from './report.ts';
import { isUsable, verdictOf } from './verdict.ts';

const even = { min: 40, median: 40, p95: 40, max: 40 };
const pictures: PictureFigures = {
  pictures: 250,
  keyPictures: 5,
  beforeFirstKey: 0,
  firstPictureMs: 200,
  firstKeyMs: 200,
  spanMs: 9_960,
  bitsPerSecond: 2_000_000,
  largestBytes: 60_000,
  arrivals: even,
  steps: even,
  keySteps: { min: 2_000, median: 2_000, p95: 2_000, max: 2_000 },
  longestGroup: 50,
  lateness: { min: 0, median: 5, p95: 20, max: 60 },
  reorder: 0,
  backwards: 0,
  leaps: 0,
  withoutTime: 0,
};
const good: Diagnosis = {
  cause: 'none',
  details: [],
  openedMs: 150,
  tookMs: 10_150,
  replies: [],
  moreReplies: 0,
  choices: [{ reader: 'rtsp' }],
  track: {
    codec: 'h264',
    profileLevel: '64001f',
    width: 1280,
    height: 720,
    announcedFps: 25,
    announcedReorder: 0,
  },
  pictures,
  sound: null,
  packets: [],
  decoded: { width: 1280, height: 720 },
};
const packets: PacketFigures = {
  channel: 0,
  payloadType: 96,
  packets: 1_000,
  bytes: 1_000_000,
  gaps: 0,
  lost: 0,
  repeated: 0,
  late: 0,
  jitterMs: 1,
  largestBytes: 1_400,
  senderReports: 2,
};

test('a camera without a fault is called usable, and nothing else is reported', () => {
  assert.deepEqual(verdictOf({ ...good, packets: [packets] }), [
    'Nazar can use this camera. A picture was decoded (H.264, 1280x720).',
  ]);
  assert.ok(isUsable(good));
});

test('each thing to check is named with what to do', () => {
  const remarks: readonly [Partial<Diagnosis>, RegExp][] = [
    [{ track: { ...good.track!, codec: 'hevc' } }, /^- The camera sends H\.265\./],
    [
      { pictures: { ...pictures, keySteps: { ...even, max: 10_000 } } },
      /^- Key frames are 10\.0 s apart, .* I-frame interval to 2 seconds\.$/,
    ],
    [
      { pictures: { ...pictures, keyPictures: 1, keySteps: null } },
      /^- Key frames are more than 10\.0 s apart/,
    ],
    [{ pictures: { ...pictures, reorder: 2 } }, /^- The camera sends B-frames\./],
    [{ pictures: { ...pictures, backwards: 3, leaps: 1 } }, /stand still 3 times and leap 1 times/],
    [{ pictures: { ...pictures, lateness: { ...even, max: 900 } } }, /up to 900 ms late/],
    [
      { packets: [packets, { ...packets, channel: 2, gaps: 2, lost: 9 }] },
      /^- 9 packets are missing in 2 places\./,
    ],
    [{ choices: [{ reader: 'ffmpeg', transport: 'udp', status: 461 }] }, /by UDP only/],
  ];
  for (const [more, remark] of remarks) {
    const [, ...said] = verdictOf({ ...good, ...more });
    assert.equal(said.length, 1, said.join('\n'));
    assert.match(said[0] ?? '', remark);
  }
});

test('a fault is reported in its sentence, with how far the camera came', () => {
  const unopened = {
    ...good,
    cause: 'not_found',
    openedMs: null,
    track: null,
    pictures: null,
    decoded: null,
  } as const;
  assert.deepEqual(verdictOf(unopened), ['There is no stream at this address. (not_found)']);
  const [ended] = verdictOf({ ...good, cause: 'ended', tookMs: 3_350 });
  assert.equal(
    ended,
    'A picture was decoded (H.264, 1280x720), but 3.2 s after it opened: The camera ended the stream. (ended)',
  );
  assert.ok(!isUsable({ ...good, cause: 'ended' }));
  assert.match(verdictOf(null)[0] ?? '', /crashed or hung/);
  assert.ok(!isUsable(null));
  const account = { username: 'canary', password: '', certificate: '' };
  const report = reportOf(
    { type: 'ip', url: 'rtsps://[fd00::7]/a/b?key=canary', ...account },
    null,
    new Date(0),
  );
  assert.match(report, /crashed or hung[^]*scheme rtsps, an IPv6 address, the usual port\n/);
  assert.match(report, /parts of the path: 2, fields of the query: 1\n/);
  assert.ok(!/canary|fd00|a\/b/.test(report), report);
});
