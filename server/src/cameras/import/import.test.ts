/** Cameras out of three files shaped as real ones are, and files that mean harm. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFaults, type ImportPreview } from '@nazar/contract/camera-import.ts';
import type { Camera, CameraFields } from '@nazar/contract/cameras.ts';
import * as fc from 'fast-check';
import { createScope, noGrants } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { passwordForms } from '#testing/passwords.ts';
import { CameraImport } from './import.ts';
import { partsOf } from './read-file.ts';

const frigate = `
mqtt:
  enabled: false
detectors:
  coral: { type: edgetpu, device: usb }
cameras:
  front_door:
    enabled: true
    friendly_name: Front door
    ffmpeg:
      hwaccel_args: preset-vaapi
      inputs:
        - path: rtsp://viewer:S3cret%21front@192.168.1.20:554/Streaming/Channels/102
          roles: [detect]
        - path: rtsp://viewer:S3cret%21front@192.168.1.20:554/Streaming/Channels/101
          roles: [record]
    detect: { width: 640, height: 360, fps: 5 }
  garage:
    ffmpeg:
      inputs:
        - path: rtsp://viewer:{FRIGATE_RTSP_PASSWORD}@192.168.1.21/main
          roles: [detect, record]
  terrace:
    ffmpeg:
      inputs:
        - path: http://192.168.1.22/flv?port=1935&app=bcs&user=viewer&password=S3cretFlv
          roles: [detect, record]
  pool:
    ffmpeg:
      inputs:
        - path: rtsp://viewer:S3cret%21pool@192.168.1.23/main
          roles: [record]
        - path: rtsp://other:S3cret%21other@192.168.1.23/sub
          roles: [detect]
`;

const go2rtc = `
api: { listen: ":1984" }
streams:
  gate_main: rtsp://admin:S3cretGate@10.0.0.5/stream1#backchannel=0
  gate_sub:
    - rtsp://admin:S3cretGate@10.0.0.5/stream2
  yard:
    - ffmpeg:rtsp://admin:S3cretYard@10.0.0.6/live#video=copy#audio=opus
    - ffmpeg:yard#audio=aac
  bell: exec:ffmpeg -i rtsp://admin:S3cretBell@10.0.0.7/live -f rtsp {output}
  kiln: ffmpeg:rtsp://admin:S3cretKiln@10.0.0.8/live#video=h264#hardware
  tapo: tapo://S3cretTapo@10.0.0.9
  nvr: rtsp://\${NVR_USER:admin}:\${NVR_PASSWORD}@10.0.0.10/ch1
  shed: rtsp://admin:12#S3cretShed@10.0.0.11/ch1
`;

const embedded = `
environment_vars:
  FRIGATE_HALL_PASSWORD: S3cret/Hall
go2rtc:
  streams:
    hall:
      - rtsp://viewer:{FRIGATE_HALL_PASSWORD}@192.168.1.30/main
      - ffmpeg:hall#audio=opus
    hall_sub: [ "rtsp://viewer:{FRIGATE_HALL_PASSWORD}@192.168.1.30/sub" ]
    attic: rtsp://viewer:{FRIGATE_RTSP_PASSWORD}@192.168.1.31/main
cameras:
  hall:
    ffmpeg:
      inputs:
        - path: rtsp://127.0.0.1:8554/hall
          input_args: preset-rtsp-restream
          roles: [record]
        - path: rtsp://127.0.0.1:8554/hall_sub
          roles: [detect]
  attic:
    ffmpeg:
      inputs:
        - { path: "rtsp://127.0.0.1:8554/attic", roles: [record, detect] }
  lost:
    ffmpeg:
      inputs: [{ path: "rtsp://127.0.0.1:8554/nowhere", roles: [record] }]
`;

const scope = createScope(
  { userId: 'u', email: 'u@example.org', sessionId: 's', standing: 'admin' },
  noGrants,
  { ip: '192.168.1.5', userAgent: '' },
);

/** Files without recordings, zones and groups. */
const unexpected = async (): Promise<never> => assert.fail('the file says nothing of that');
const noFurther = {
  setZones: unexpected,
  record: unexpected,
  groups: { list: unexpected, add: unexpected },
};

function importing(present: readonly { name: string; url: string; sub_url: string }[] = []) {
  const added: CameraFields[] = [];
  const made = new CameraImport({
    present: async () => present,
    add: async (_scope, fields) => {
      added.push(fields);
      return { id: crypto.randomUUID() } as Camera;
    },
    ...noFurther,
  });
  return { made, added };
}

const previewOf = (text: string, variables: { name: string; value: string }[] = []) =>
  importing().made.preview(scope, { text, variables });
const faultsOf = ({ left_out: leftOut }: ImportPreview) =>
  leftOut.map(({ name, fault, about }) => [name, fault, about]);
const addresses = ({ cameras }: ImportPreview) =>
  cameras.map(({ name, url, sub_url: sub }) => [name, url, sub]);

test('a Frigate file gives its cameras, the recorded stream first, and says what is not taken', async () => {
  const preview = await previewOf(frigate);
  assert.equal(preview.kind, 'frigate');
  assert.deepEqual(addresses(preview), [
    [
      'Front door',
      'rtsp://192.168.1.20:554/Streaming/Channels/101',
      'rtsp://192.168.1.20:554/Streaming/Channels/102',
    ],
    ['pool', 'rtsp://192.168.1.23/main', ''],
  ]);
  assert.deepEqual(faultsOf(preview), [
    ['garage', 'variable_unset', 'FRIGATE_RTSP_PASSWORD'],
    ['terrace', 'password_in_address', ''],
    ['pool', 'other_sign_in', ''],
  ]);
  assert.deepEqual(preview.unset_variables, ['FRIGATE_RTSP_PASSWORD']);
});

test('a go2rtc file pairs its streams by name, and starts no program', async () => {
  const preview = await previewOf(go2rtc);
  assert.equal(preview.kind, 'go2rtc');
  assert.deepEqual(addresses(preview), [
    ['gate', 'rtsp://10.0.0.5/stream1', 'rtsp://10.0.0.5/stream2'],
    ['yard', 'rtsp://10.0.0.6/live', ''],
  ]);
  assert.deepEqual(faultsOf(preview), [
    ['yard', 'transcodes', 'ffmpeg:'],
    ['bell', 'runs_program', 'exec:'],
    ['kiln', 'transcodes', 'ffmpeg:'],
    ['tapo', 'scheme', 'tapo:'],
    ['nvr', 'variable_unset', 'NVR_PASSWORD'],
    ['shed', 'special_characters', ''],
  ]);
});

test('a Frigate file with the go2rtc inside is followed to its sources, with variables it sets and that are typed', async () => {
  const first = await previewOf(embedded);
  assert.deepEqual(addresses(first), [
    ['hall', 'rtsp://192.168.1.30/main', 'rtsp://192.168.1.30/sub'],
  ]);
  assert.deepEqual(faultsOf(first), [
    ['hall', 'transcodes', 'ffmpeg:'],
    ['attic', 'variable_unset', 'FRIGATE_RTSP_PASSWORD'],
    ['lost', 'unknown_stream', 'nowhere'],
  ]);
  const variables = [{ name: 'FRIGATE_RTSP_PASSWORD', value: 'a@b/c' }];
  const { made, added } = importing();
  const cameras = ['hall', 'attic', 'lost'].map((name) => ({ key: `cameras.${name}`, name }));
  const choice = { text: embedded, variables, location: 'House', activate: false, cameras };
  const outcomes = await made.add(scope, choice);
  assert.deepEqual(
    outcomes.map(({ name, camera, fault }) => [name, camera !== null, fault]),
    [
      ['hall', true, null],
      ['attic', true, null],
      ['lost', false, 'unknown_stream'],
    ],
  );
  assert.deepEqual(
    added.map(({ username, password, status, location, type }) => [
      username,
      password,
      status,
      location,
      type,
    ]),
    [
      ['viewer', 'S3cret/Hall', 'inactive', 'House', 'rtsp'],
      ['viewer', 'a@b/c', 'inactive', 'House', 'rtsp'],
    ],
  );
});

test('no preview and no refusal holds a password of the file', async () => {
  const variables = [{ name: 'FRIGATE_RTSP_PASSWORD', value: 'S3cretTyped' }];
  for (const text of [frigate, go2rtc, embedded]) {
    assert.doesNotMatch(JSON.stringify(await previewOf(text, variables)), /S3cret/);
    await assert.rejects(previewOf(`${text}\n : [S3cret`), (error: unknown) => {
      assert.ok(error instanceof Problem && error.code === 'import_unreadable', String(error));
      assert.doesNotMatch(JSON.stringify(error.params) + error.message, /S3cret/);
      return true;
    });
  }
});

test('a camera that is there, one that comes twice and one added twice are not added again', async () => {
  const text = 'streams:\n  a: rtsp://10.0.0.5/1\n  b: rtsp://10.0.0.6/1\n  c: rtsp://10.0.0.6/1\n';
  const present = [{ name: 'Old', url: 'rtsp://10.0.0.5/1', sub_url: '' }];
  const { made, added } = importing(present);
  const preview = await made.preview(scope, { text, variables: [] });
  assert.deepEqual(faultsOf(preview), [
    ['a', 'exists', 'Old'],
    ['c', 'twice', 'b'],
  ]);
  const cameras = ['a', 'b', 'b'].map((name) => ({ key: `streams.${name}`, name }));
  const choice = { text, variables: [], location: 'House', activate: true, cameras };
  const outcomes = await made.add(scope, choice);
  assert.deepEqual(
    outcomes.map(({ camera }) => camera !== null),
    [false, true, false],
  );
  assert.deepEqual(
    added.map(({ status }) => status),
    ['active'],
  );
});

test('a camera that Frigate has turned off is imported deactivated, whatever becomes of the others', async () => {
  const camera = (name: string, enabled: string): string =>
    `  ${name}:\n    ${enabled}\n    ffmpeg: { inputs: [{ path: "rtsp://10.0.0.5/${name}", roles: [record] }] }\n`;
  const written = [
    ['plain', ''],
    ['on', 'enabled: true'],
    ['off', 'enabled: false'],
    ['no', 'enabled: "No"'],
  ];
  const text = `cameras:\n${written.map(([name, how]) => camera(name!, how!)).join('')}`;
  const { made, added } = importing();
  const preview = await made.preview(scope, { text, variables: [] });
  assert.deepEqual(
    preview.cameras.map(({ name, is_enabled }) => [name, is_enabled]),
    [
      ['plain', true],
      ['on', true],
      ['off', false],
      ['no', false],
    ],
  );
  const cameras = preview.cameras.map(({ key, name }) => ({ key, name }));
  await made.add(scope, { text, variables: [], location: 'House', activate: true, cameras });
  assert.deepEqual(
    added.map(({ name, status }) => [name, status]),
    [
      ['plain', 'active'],
      ['on', 'active'],
      ['off', 'inactive'],
      ['no', 'inactive'],
    ],
  );
});

const bomb = (levels: number): string =>
  Array.from({ length: levels }, (_, n) =>
    n === 0 ? 'a0: &a0 [x, x, x]' : `a${n}: &a${n} [*a${n - 1}, *a${n - 1}, *a${n - 1}]`,
  ).join('\n');

const refusals: readonly [string, string, string][] = [
  ['a bomb of aliases', bomb(30), 'import_aliases'],
  ['an alias', `streams:\n  a: &x rtsp://10.0.0.5/1\n  b: *x\n`, 'import_aliases'],
  ['a merge', `x: &x {a: rtsp://10.0.0.5/1}\nstreams:\n  <<: *x\n`, 'import_aliases'],
  ['10,001 lines', '\n'.repeat(10_000), 'import_too_long'],
  ['a list of 60,000 texts', `a: [${'"",'.repeat(60_000)}]`, 'import_too_complex'],
  ['40,000 keys', `a: {${'b: c,'.repeat(40_000)}}`, 'import_too_complex'],
  ['60,000 anchors', '&a '.repeat(60_000), 'import_too_complex'],
  ['brackets in brackets', '['.repeat(100_000), 'import_unreadable'],
  ['brackets over lines', '[\n'.repeat(5_000), 'import_unreadable'],
  ['dashes in dashes', `a:\n  ${'- '.repeat(100_000)}`, 'import_unreadable'],
  ['keys in keys', '? '.repeat(100_000), 'import_unreadable'],
  ['two documents', 'streams: {a: x}\n---\nstreams: {b: y}\n', 'import_unreadable'],
  ['a key twice', 'streams: {a: x}\nstreams: {b: y}\n', 'import_unreadable'],
  ['a picture', '\u0000\u0001PNG', 'import_unknown'],
  ['a text', 'hello', 'import_unknown'],
  ['a list', '- 1\n- 2', 'import_unknown'],
  ['no cameras', 'cameras: {}\nstreams: {}\n', 'import_unknown'],
  ['a prototype', '__proto__: {streams: {a: rtsp://10.0.0.5/1}}\n', 'import_unknown'],
];
for (const [what, text, code] of refusals) {
  test(`${what} is refused with a reason`, async () => {
    await assert.rejects(previewOf(text), (error: unknown) => {
      assert.ok(error instanceof Problem, String(error));
      assert.equal(error.code, code);
      return true;
    });
  });
}

test('the parts of a file are counted to the bound and no further', () => {
  assert.equal(partsOf('streams:\n  a: rtsp://10.0.0.5/1\n'), 13);
  assert.equal(partsOf('"" '.repeat(10_000_000)), 100_001);
});

test('twice as many streams without a main one take twice the work', async (t) => {
  const replaced = t.mock.method(String.prototype, 'replace');
  const callsFor = async (count: number): Promise<number> => {
    const lines = Array.from({ length: count }, (_, n) => `  a${n}_sub: rtsp://10.0.0.5/${n}`);
    replaced.mock.resetCalls();
    const preview = await previewOf(`streams:\n${lines.join('\n')}\n`);
    assert.equal(preview.cameras.length, count);
    return replaced.mock.callCount();
  };
  const [few, twice] = [await callsFor(100), await callsFor(200)];
  assert.ok(few >= 100 && twice <= 2 * few, `${few}, ${twice}`);
});

test('C-712 others have their turn while a file of 9,000 cameras is read, of which no more than 500 are', async () => {
  const unreadable = 'exec:program';
  const streams = Array.from({ length: 9_000 }, (_, number) =>
    number < 600
      ? `  c${number}: rtsp://10.0.1.${number % 250}/${number}`
      : `  c${number}: ${unreadable}`,
  );
  let turns = 0;
  const over = new AbortController();
  const others = (): void => {
    turns += 1;
    if (!over.signal.aborted) setImmediate(others);
  };
  setImmediate(others);
  const file = ['streams:', ...streams].join('\n');
  const { cameras, left_out: leftOut } = await previewOf(file).finally(() => over.abort());
  assert.ok(turns >= 9_000 / 50, `${turns} turns`);
  assert.equal(cameras.length, 500);
  // What comes behind them is not even read: it is not known to be unreadable.
  assert.deepEqual([...new Set(leftOut.map(({ fault }) => fault))], ['over_limit']);
  assert.equal(leftOut.length, 8_500);
});

test('the first of several smaller streams is taken and the others are listed; that of a smaller one stays', async () => {
  const preview = await previewOf(`streams:
  yard: rtsp://10.0.0.5/1
  yard_low: rtsp://10.0.0.5/2
  yard_sub: rtsp://10.0.0.5/3
  yard_sub_low: rtsp://10.0.0.5/4
`);
  assert.deepEqual(addresses(preview), [
    ['yard', 'rtsp://10.0.0.5/1', 'rtsp://10.0.0.5/2'],
    ['yard_sub_low', 'rtsp://10.0.0.5/4', ''],
  ]);
  assert.deepEqual(faultsOf(preview), [['yard', 'further_source', '']]);
});

test('C-602 a secret in an odd place is refused or left out: paths, variables, placeholders, names', async () => {
  const odd = `streams:
  pas: http://10.0.0.5/a.cgi?loginuse=u&loginpas=S3cret
  short: http://10.0.0.5/a.cgi?u=a&p=S3cret
  part: rtsp://10.0.0.5/0/admin:S3cret/main
  mask: http://10.0.0.5/a?password=***
  path: rtsp://10.0.0.5/\${PW}/ch1
  unset: rtsp://10.0.0.5/\${OTHER}/ch1
  compose: rtsp://u:\${PW-S3cret}@10.0.0.5/1
  jinja: rtsp://u:{{ pw }}@10.0.0.5/2
  whole: rtsp://u:{PASSWORD}@10.0.0.5/3
  angle: rtsp://u:<password>@10.0.0.5/3
  host: rtsp://u:p@\${HOST}:554/4
  braces: rtsp://u:a{b}$c@10.0.0.5/5
  "rtsp://admin:S3cret/1@10.0.0.5/6": rtsp://10.0.0.5/6
  "rtsp://admin:S3cret/2@10.0.0.5/6": rtsp://10.0.0.5/7
  "admin:S3cret@door": exec:x
`;
  const variables = [
    { name: 'PW', value: 'S3cretTyped' },
    { name: 'HOST', value: '10.0.0.9' },
  ];
  const { made, added } = importing();
  const preview = await made.preview(scope, { text: odd, variables });
  assert.deepEqual(faultsOf(preview), [
    ['pas', 'password_in_address', ''],
    ['short', 'password_in_address', ''],
    ['part', 'password_in_address', ''],
    ['mask', 'password_in_address', ''],
    ['path', 'variable_in_path', 'PW'],
    ['unset', 'variable_in_path', 'OTHER'],
    ['compose', 'placeholder', ''],
    ['jinja', 'placeholder', ''],
    ['whole', 'placeholder', ''],
    ['angle', 'placeholder', ''],
    ['door', 'runs_program', 'exec:'],
  ]);
  assert.deepEqual(addresses(preview), [
    ['host', 'rtsp://10.0.0.9:554/4', ''],
    ['braces', 'rtsp://10.0.0.5/5', ''],
    ['rtsp://10.0.0.5/6', 'rtsp://10.0.0.5/6', ''],
    ['rtsp://10.0.0.5/6', 'rtsp://10.0.0.5/7', ''],
  ]);
  assert.doesNotMatch(JSON.stringify(preview), /S3cret/);
  const cameras = preview.cameras.map(({ key, name }) => ({ key, name }));
  assert.equal(new Set(cameras.map(({ key }) => key)).size, 4);
  await made.add(scope, { text: odd, variables, location: 'House', activate: false, cameras });
  assert.deepEqual(
    added.map(({ name, password }) => [name, password]),
    [
      ['host', 'p'],
      ['braces', 'a{b}$c'],
      ['rtsp://10.0.0.5/6', ''],
      ['rtsp://10.0.0.5/6', ''],
    ],
  );
});

test('C-602 40 forms of a password are each taken as they are or refused, and the preview shows none', async () => {
  const word = 'Canary4711Canary';
  const forms = passwordForms(word);
  const lines = forms.flatMap((password, n) => [
    `  raw${n}: ${JSON.stringify(`rtsp://admin:${password}@10.0.0.5/raw${n}`)}`,
    `  set${n}: rtsp://admin:\${PW${n}}@10.0.0.5/set${n}`,
  ]);
  const text = `streams:\n${lines.join('\n')}\n`;
  for (let from = 0; from < forms.length; from += 50) {
    const variables = forms.map((value, n) => ({ name: `PW${n}`, value })).slice(from, from + 50);
    const { made, added } = importing();
    const preview = await made.preview(scope, { text, variables });
    assert.ok(!JSON.stringify(preview).includes(word));
    const cameras = preview.cameras.map(({ key, name }) => ({ key, name }));
    await made.add(scope, { text, variables, location: 'House', activate: false, cameras });
    assert.ok(added.length >= 50, String(added.length));
    for (const { name, password, url } of added) {
      assert.equal(
        password,
        forms[Number(name.slice(3))]!.replace('%41', name.startsWith('raw') ? 'A' : '%41'),
      );
      assert.equal(url, `rtsp://10.0.0.5/${name}`);
    }
  }
});

test('indentation nested 2,000 deep is refused and breaks nothing', async () => {
  const text = Array.from({ length: 2_000 }, (_, n) => `${' '.repeat(n % 2_000)}a:`).join('\n');
  await assert.rejects(previewOf(text.slice(0, 400_000)), Problem);
});

const wordsOfFiles = ['streams:', 'cameras:', 'ffmpeg:', 'inputs:', 'path:', 'roles:'] as const;
const signsOfYaml = [
  ...(['[', ']', '{', '}', '- ', '? ', ': ', '|', '>', '"', "'", '#'] as const),
  ...(['\n', '\n  ', '\t', '%', '@', '&a', '*a', '!!binary'] as const),
];
const addressesAndNames = [
  ...(['rtsp://u:p@10.0.0.5/a', 'exec:sh', '{FRIGATE_A}', '${A:b}'] as const),
  ...(['__proto__', 'constructor', 'é'] as const),
];
const pieces = fc.constantFrom(...wordsOfFiles, ...signsOfYaml, ...addressesAndNames);

test('whatever is sent, the answer is a preview or a refusal, and taken addresses are plain ones', async () => {
  const text = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { minLength: 1, maxLength: 60 })
    .map((parts) => parts.join(' '));
  const inside = text.map((part) => `streams:\n  a: ${part}\n  b: rtsp://10.0.0.5/1\n`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, inside), async (file) => {
      const preview = await previewOf(file).catch((error: unknown) => {
        if (error instanceof Problem) return null;
        throw error;
      });
      for (const { url, sub_url: sub } of preview?.cameras ?? []) {
        assert.match(url, /^(?:rtsps?|https?):\/\/[^@]+$/);
        assert.match(sub, /^(?:(?:rtsps?|https?):\/\/[^@]+)?$/);
      }
      for (const { fault } of preview?.left_out ?? []) assert.ok(importFaults.includes(fault));
      assert.equal(Object.hasOwn(Object.prototype, 'streams'), false);
    }),
    { numRuns: 2_000 },
  );
});
