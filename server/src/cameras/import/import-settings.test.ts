/** What configurations say beside the addresses of cameras: taken over, or listed line by line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImportPreview, settingReasons } from '@nazar/contract/camera-import.ts';
import type { CameraGroup } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { ZoneFields } from '@nazar/contract/zones.ts';
import * as fc from 'fast-check';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import {
  frigate13,
  frigate16,
  frigate17,
  go2rtcHouse,
  go2rtcOthers,
} from '#testing/configurations.ts';
import { CameraImport } from './import.ts';

const caller = { userId: 'u', email: 'u@example.org', sessionId: 's', standing: 'admin' } as const;
const scope = createScope(caller, noGrants);
const byKey = createScope({ ...caller, keyScopes: new Set(['cameras:write']) }, noGrants);

/** Writes down what is set, by the name of the camera. */
function place(groups: readonly string[] = []) {
  const set: (readonly [string, ...unknown[]])[] = [];
  const made = new CameraImport({
    present: async () => [],
    add: async (_scope, fields) => {
      const { enable_audio: audio, enable_face_recognition: faces, device_url: device } = fields;
      set.push(['camera', fields.name, { audio, faces, device }]);
      return { id: fields.name } as Camera;
    },
    setZones: async (_scope, name, zones) => set.push(['zones', name, ...zones]),
    record: async (_scope, name, recording) => set.push(['record', name, recording]),
    groups: {
      list: async () => groups.map((name) => ({ name }) as CameraGroup),
      add: async (_scope, { name, cameras }) => {
        set.push(['group', name, cameras]);
        return {} as CameraGroup;
      },
    },
  });
  return { made, set };
}

async function imported(text: string, as: Scope = scope, groups: readonly string[] = []) {
  const { made, set } = place(groups);
  const preview = await made.preview(as, { text, variables: [] });
  assert.equal(set.length, 0, 'nothing is saved before');
  assert.doesNotMatch(JSON.stringify(preview), /S3cret/);
  const cameras = preview.cameras.map(({ key, name }) => ({ key, name }));
  await made.add(as, { text, variables: [], location: 'House', activate: false, cameras });
  return { preview, set };
}

const area = (points: [number, number][]): ZoneFields => ({ kind: 'motion', name: '', points });

/** As the page lists them, without the camera. */
const linesOf = ({ settings_left: left }: ImportPreview) =>
  left.map(({ path, value, reason }) => [path, value, reason].filter(Boolean).join(' | '));

test('Frigate 0.13: recording, sound and masks in pixels are taken over, and everything else is listed', async () => {
  const { preview, set } = await imported(frigate13);
  assert.deepEqual(set, [
    ['camera', 'yard', { audio: true, faces: true, device: '' }],
    [
      'zones',
      'yard',
      area([
        [0, 0.25],
        [0, 0.75],
        [1, 0.75],
        [1, 0.25],
      ]),
      area([
        [0, 0.75],
        [0, 1],
        [0.5, 1],
        [0.5, 0.75],
      ]),
    ],
    ['record', 'yard', { continuous: true, retentionDays: 7 }],
    ['camera', 'cellar', { audio: false, faces: false, device: '' }],
    ['record', 'cellar', null],
  ]);
  assert.deepEqual(linesOf(preview), [
    'record.events.retain.default | 30 | kept_longer',
    'cameras.cellar.motion.mask | 0,0,400,0,400,400 | mask_size',
    'mqtt.host | not_in_nazar',
    'mqtt.user | not_in_nazar',
    'mqtt.password | not_in_nazar',
    'detectors.coral.type | automatic',
    'detectors.coral.device | automatic',
    'ffmpeg.hwaccel_args | automatic',
    'record.events.pre_capture | 10 | capture',
    'record.events.retain.objects.person | 60 | kept_longer',
    'snapshots.enabled | true | automatic',
    'snapshots.retain.default | 14 | automatic',
    'objects.track | person, dog | objects',
    'cameras.yard.ffmpeg.inputs.0.roles | further_input',
    'cameras.yard.detect.width | 1280 | automatic',
    'cameras.yard.detect.height | 720 | automatic',
    'cameras.yard.detect.fps | 5 | automatic',
    'cameras.yard.motion.threshold | 30 | motion_tuning',
    'cameras.yard.objects.mask | 0,0,200,0,200,200 | object_mask',
    'cameras.yard.objects.filters.person.min_area | 5000 | objects',
    'cameras.yard.objects.filters.person.mask | 0,0,100,0,100,100 | object_mask',
    'cameras.yard.zones.drive.coordinates | 0,720,0,360,640,360,640,720 | zone',
    'cameras.yard.zones.drive.objects | person | zone',
    'cameras.yard.ui.order | 2 | order',
    'cameras.cellar.ffmpeg.output_args.record | automatic',
  ]);
});

test('Frigate 0.16: what holds for all cameras holds for each, unless it says otherwise', async () => {
  const { preview, set } = await imported(frigate16, scope, ['Screen']);
  const device = 'http://192.168.1.30:8000/onvif/device_service';
  assert.deepEqual(set, [
    ['camera', 'Hall', { audio: false, faces: true, device }],
    [
      'zones',
      'Hall',
      area([
        [0, 0],
        [0, 0.5],
        [1, 0.5],
        [1, 0],
      ]),
    ],
    ['camera', 'attic', { audio: false, faces: false, device: '' }],
    ['record', 'attic', { continuous: false, retentionDays: 3 }],
    ['group', 'Inside', ['Hall', 'attic']],
  ]);
  const [hall, attic] = preview.cameras;
  assert.deepEqual(hall?.settings, {
    recording: { continuous: false, retention_days: 30 },
    enable_audio: false,
    enable_face_recognition: true,
    motion_zones: 1,
    zones_of_sub: true,
    device_url: device,
  });
  assert.equal(attic?.settings.zones_of_sub, false);
  assert.deepEqual(preview.groups, [
    { name: 'Inside', cameras: ['cameras.hall', 'cameras.attic'] },
  ]);
  assert.deepEqual(linesOf(preview), [
    'record.enabled | true | record_motion',
    'go2rtc.streams.hall.0.#timeout | source_option',
    'cameras.attic.record.retain.days | 2.5 | retention_rounded',
    'record.alerts.retain.days | 30 | kept_longer',
    'record.detections.retain.days | 14 | kept_longer',
    'cameras.attic.onvif.host | other_device',
    'camera_groups.Screen | group_exists',
    'auth.enabled | true | set_in_nazar',
    'auth.failed_login_rate_limit | set_in_nazar',
    'environment_vars.FRIGATE_HALL | automatic',
    'go2rtc.streams.spare | unused_stream',
    'go2rtc.webrtc.candidates | own_server',
    'face_recognition.min_area | 750 | set_in_nazar',
    'detect.width | 1280 | automatic',
    'detect.height | 720 | automatic',
    'record.alerts.pre_capture | 5 | capture',
    'review.alerts.labels | person | objects',
    'camera_groups.Inside.order | group',
    'camera_groups.Inside.icon | group',
    'camera_groups.Screen.cameras | group',
    'cameras.hall.ffmpeg.inputs.0.input_args | automatic',
    'cameras.hall.ffmpeg.inputs.1.input_args | automatic',
    'cameras.hall.onvif.autotracking.enabled | true | not_in_nazar',
    'cameras.hall.live.streams.Main | automatic',
    'cameras.hall.audio.enabled | true | not_in_nazar',
    'cameras.hall.audio.listen | scream | not_in_nazar',
    'cameras.hall.notifications.enabled | true | set_in_nazar',
    'cameras.hall.notifications.email | set_in_nazar',
  ]);
});

test('Frigate 0.17: masks with names, profiles and unknown keys are taken or listed', async () => {
  const { preview, set } = await imported(frigate17);
  assert.deepEqual(set, [
    ['camera', 'gate', { audio: false, faces: true, device: '' }],
    [
      'zones',
      'gate',
      area([
        [0.25, 0],
        [0.25, 1],
        [1, 1],
        [1, 0],
      ]),
    ],
    ['record', 'gate', { continuous: true, retentionDays: 3 }],
    ['camera', 'porch', { audio: false, faces: true, device: '' }],
    ['record', 'porch', null],
  ]);
  assert.deepEqual(linesOf(preview), [
    'record.motion.days | 7 | kept_longer',
    'record.alerts.retain.days | 30 | kept_longer',
    'cameras.porch.ffmpeg.inputs | no_record_role',
    'cameras.porch.motion.mask | 0,0,1,0,1,1,0,1 | mask_all',
    'record.sub.enabled | true | kept_longer',
    'record.sub.continuous.days | 60 | kept_longer',
    'profiles.away.friendly_name | profiles',
    'cameras.gate.ffmpeg.inputs.1.path | further_input',
    'cameras.gate.ffmpeg.inputs.1.roles | further_input',
    'cameras.gate.profiles.away.record.enabled | false | profiles',
    'cameras.gate.lasers.colour | unknown',
    'cameras.gate.lasers.code | unknown',
    'cameras.gate.lasers.on | true | unknown',
  ]);
});

test('~REC-033 go2rtc: options of a source that is taken, and what go2rtc does beside, are listed', async () => {
  const { preview, set } = await imported(go2rtcHouse);
  const usual = { audio: false, faces: true, device: '' };
  assert.deepEqual(set, [
    ['camera', 'yard', usual],
    ['camera', 'pool', usual],
  ]);
  // REC-033: go2rtc records nothing, and so says nothing of it.
  assert.deepEqual(
    preview.cameras.map(({ settings }) => settings.recording),
    Array.from({ length: 2 }, () => ({ continuous: false, retention_days: 30 })),
  );
  assert.deepEqual(
    preview.left_out.map(({ name, fault }) => [name, fault]),
    [
      ['yard', 'transcodes'],
      ['bell', 'runs_program'],
      ['empty', 'no_source'],
    ],
  );
  assert.deepEqual(linesOf(preview), [
    'streams.yard.0.#transport | source_option',
    'streams.pool.#audio | source_option',
    'api.listen | own_server',
    'api.username | own_server',
    'api.password | own_server',
    'api.origin | own_server',
    'rtsp.listen | own_server',
    'rtsp.password | own_server',
    'preload.yard | automatic',
    'publish.yard | not_in_nazar',
    'homekit.yard.pin | not_in_nazar',
  ]);
  const others = await imported(go2rtcOthers);
  assert.deepEqual(others.set, [['camera', 'hall', usual]]);
  assert.deepEqual(
    others.preview.left_out.map(({ name, fault, about }) => [name, fault, about]),
    [
      ['protect', 'scheme', 'rtspx:'],
      ['found', 'onvif', ''],
      ['doorbell', 'scheme', 'webrtc:'],
      ['lift', 'transcodes', 'ffmpeg:'],
    ],
  );
  assert.deepEqual(linesOf(others.preview), [
    'log.level | automatic',
    'webrtc.listen | own_server',
    'webrtc.ice_servers.0.urls | own_server',
    'webrtc.ice_servers.0.username | own_server',
    'webrtc.ice_servers.0.credential | own_server',
  ]);
});

test('an API key, which may set no recording and make no group, sets none by a file', async () => {
  const { preview, set } = await imported(frigate16, byKey);
  assert.deepEqual(
    set.map(([what]) => what),
    ['camera', 'zones', 'camera'],
  );
  assert.deepEqual(preview.groups, []);
  assert.deepEqual(
    preview.cameras.map(({ settings }) => settings.recording),
    Array.from({ length: 2 }, () => ({ continuous: false, retention_days: 30 })),
  );
  const lines = linesOf(preview).filter((line) => line.endsWith('not_by_key'));
  assert.deepEqual(lines, [
    'cameras.attic.record | not_by_key',
    'camera_groups.Inside | not_by_key',
    'camera_groups.Screen | not_by_key',
  ]);
});

test('lines of a camera that is not imported go with it, and there is a line for every reason', async () => {
  const text = frigate13.replace('rtsp://viewer:S3cretYard', 'exec:viewer');
  const { preview } = await imported(text);
  assert.equal(linesOf(preview).filter((line) => line.includes('cameras.yard')).length, 0);
  assert.equal(linesOf(preview).filter((line) => line.includes('cameras.cellar')).length, 2);
  const files = [frigate13, frigate16, frigate17, go2rtcHouse, go2rtcOthers];
  const seen = new Set(['mask_corners', 'mask_unreadable', 'unused', 'recording_tuning']);
  for (const file of files) {
    for (const as of [scope, byKey]) {
      const { preview: shown } = await imported(file, as, ['Screen']);
      for (const { reason } of shown.settings_left) seen.add(reason);
    }
  }
  assert.deepEqual([...seen].toSorted(), settingReasons.toSorted());
});

test('thousands of settings are listed up to a bound, and the rest is counted', async () => {
  const lines = Array.from({ length: 5_000 }, (_, n) => `    option_${n}: true`).join('\n');
  const { preview } = await imported(`${go2rtcHouse}extra:\n  section:\n${lines}\n`);
  assert.equal(preview.settings_left.length, 2_000);
  assert.equal(preview.settings_left_more, 5_000 + 11 - 2_000);
});

const sections = [
  'record',
  'motion',
  'detect',
  'onvif',
  'objects',
  'zones',
  'ffmpeg',
  'ui',
  'audio',
];
const names = fc.constantFrom(
  'enabled',
  'retain',
  'days',
  'mode',
  'mask',
  'coordinates',
  'alerts',
  'host',
  'port',
  'user',
  'output_args',
  'record',
  'width',
  'height',
  'order',
  '__proto__',
  'constructor',
  'a.b',
  '',
);
const said = fc.oneof(
  fc.constantFrom('all', 'motion', 'off', '0,0,1,0,1,1', '0,0,900,0,900,400,3', '192.168.1.9', ''),
  fc.constantFrom('preset-record-generic-audio-aac', 'rtsp://u:S3cret@10.0.0.1/', '{FRIGATE_A}'),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    said,
    fc.array(said, { maxLength: 4 }),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
  ),
}));
const anyFile = fc.record({
  all: fc.dictionary(fc.constantFrom(...sections, 'go2rtc', 'camera_groups'), tree, { maxKeys: 4 }),
  own: fc.dictionary(fc.constantFrom(...sections), tree, { maxKeys: 5 }),
});

test('whatever stands in a file, it is read, what is set is what the forms take, and no secret is shown', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async ({ all, own }) => {
      const inputs = [{ path: 'rtsp://u:S3cret@10.0.0.1/main', roles: ['record', 'detect'] }];
      const ffmpeg = { ...(own['ffmpeg'] as object), inputs };
      // On lines of their own: brackets that nest in one are counted.
      const text = JSON.stringify({ ...all, cameras: { front: { ...own, ffmpeg } } }, null, 1);
      const { preview, set } = await imported(text);
      assert.equal(preview.cameras.length, 1);
      ImportPreview.parse(preview);
      for (const [what, , ...rest] of set) {
        if (what === 'zones') for (const zone of rest) ZoneFields.parse(zone);
        if (what !== 'record') continue;
        const recording = rest[0] as { retentionDays: number } | null;
        if (recording) RecordingSettingsPatch.parse({ retentionDays: recording.retentionDays });
      }
    }),
    { numRuns: 200 },
  );
});

test('a setting that nothing is made of is listed wherever it stands', async () => {
  const place = fc.array(fc.constantFrom(...sections, 'enabled2', 'deep'), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(place, fc.boolean(), async (path, isOwn) => {
      const leaf = path.reduceRight<object>((below, name) => ({ [name]: below }), {
        unknown_key: true,
      });
      const camera: Record<string, unknown> = isOwn ? { ...leaf } : {};
      const inputs = [{ path: 'rtsp://10.0.0.1/main', roles: ['record'] }];
      camera['ffmpeg'] = { ...(camera['ffmpeg'] as object | undefined), inputs };
      // What is said of recordings that are off has no effect.
      camera['record'] = { ...(camera['record'] as object | undefined), enabled: true };
      const text = JSON.stringify({ ...(isOwn ? {} : leaf), cameras: { front: camera } });
      const { preview } = await imported(text);
      const expected = [...(isOwn ? ['cameras', 'front'] : []), ...path, 'unknown_key'].join('.');
      const isTaken = path[0] === 'motion' && path[1] === 'mask';
      assert.ok(isTaken || preview.settings_left.some((one) => one.path === expected), expected);
    }),
    { numRuns: 100 },
  );
});
