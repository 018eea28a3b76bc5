/**
 * Cameras of Frigate: each has inputs with roles. The input that is recorded is the main stream, the one used for
 * detection the sub-stream. An input may be a restream of the built-in go2rtc, whose own source is used instead.
 */
import { listOf, memberOf, sectionOf, textsOf, type Section } from './data.ts';
import { takeRecording } from './frigate-recording.ts';
import { takeMotionMasks } from './motion-masks.ts';
import { CameraSettings, isOff, type Path, type Taken } from './settings.ts';
import type { Written, WrittenGroup, WrittenSettings, WrittenSource } from './written.ts';

/** The address at which Frigate reaches its built-in go2rtc. */
const restream = /^rtsp:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):8554\/([^/?#]+)/i;

interface Input {
  readonly path: string;
  readonly roles: readonly string[];
  readonly at: Path;
}

export function frigateCameras(file: Section, taken: Taken): Written[] {
  taken.add(['version']);
  const streams = sectionOf(sectionOf(file, 'go2rtc'), 'streams');
  return Object.entries(sectionOf(file, 'cameras')).map(([key, camera]) => {
    const settings = new CameraSettings(file, key, taken);
    const inputs = inputsOf(settings, camera);
    const main = inputs.find(({ roles }) => roles.includes('record')) ?? inputs[0];
    const other = inputs.find(({ roles }) => roles.includes('detect'));
    const sub = other === main || other?.path === main?.path ? undefined : other;
    const read = [main, sub].map((input) => sourcesOf(input, streams, taken));
    for (const input of [main, other]) if (input) takeInput(input, taken);
    settings.take('enabled');
    return {
      key: `cameras.${key}`,
      path: settings.pathOf(),
      name: nameOf(settings, camera, key),
      isEnabled: !isOff(memberOf(camera, 'enabled')),
      main: read[0]!.sources,
      sub: read[1]!.sources,
      unknown: read.flatMap(({ unknown }) => unknown),
      settings: settingsOf(settings, main, sub),
    };
  });
}

function nameOf(settings: CameraSettings, camera: unknown, key: string): string {
  const [friendly] = [
    ...textsOf(memberOf(camera, 'friendly_name')),
    ...textsOf(memberOf(sectionOf(camera, 'ui'), 'friendly_name')),
  ];
  settings.taken.add(settings.pathOf('friendly_name'));
  settings.taken.add(settings.pathOf('ui', 'friendly_name'));
  return friendly ?? key;
}

function inputsOf(settings: CameraSettings, camera: unknown): Input[] {
  return listOf(memberOf(sectionOf(camera, 'ffmpeg'), 'inputs')).flatMap((input, index) =>
    textsOf(memberOf(input, 'path')).map((path) => ({
      path,
      roles: textsOf(memberOf(input, 'roles')),
      at: settings.pathOf('ffmpeg', 'inputs', index),
    })),
  );
}

/** Roles that Nazar doesn't know remain to be listed. */
function takeInput({ at, roles }: Input, taken: Taken): void {
  taken.add([...at, 'path']);
  if (roles.every((role) => ['record', 'detect', 'audio'].includes(role)))
    taken.add([...at, 'roles']);
}

function sourcesOf(
  input: Input | undefined,
  streams: Section,
  taken: Taken,
): { readonly sources: readonly WrittenSource[]; readonly unknown: readonly string[] } {
  if (!input) return { sources: [], unknown: [] };
  const name = restream.exec(input.path)?.[1];
  if (name === undefined) {
    return { sources: [{ text: input.path, path: [...input.at, 'path'] }], unknown: [] };
  }
  const stream = decoded(name);
  const path = ['go2rtc', 'streams', stream];
  taken.add(path);
  const sources = writtenSources(memberOf(streams, stream), path);
  return { sources, unknown: sources.length === 0 ? [stream] : [] };
}

/** The texts of a stream, with their places. */
export const writtenSources = (stream: unknown, path: Path): WrittenSource[] =>
  listOf(stream).flatMap((text, index) =>
    typeof text === 'string'
      ? [{ text, path: Array.isArray(stream) ? [...path, index] : path }]
      : [],
  );

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function settingsOf(
  settings: CameraSettings,
  main: Input | undefined,
  sub: Input | undefined,
): WrittenSettings {
  const { recording, remarks } = takeRecording(settings, main?.roles.includes('record') ?? false);
  const masks = takeMotionMasks(settings);
  return {
    recording,
    enable_audio: recordsSound(settings),
    enable_face_recognition: recognizes(settings),
    zones: masks.zones,
    zonesOfSub: masks.zones.length > 0 && sub !== undefined,
    device: deviceOf(settings),
    remarks: [...remarks, ...masks.remarks],
  };
}

/** Presets by whether they keep the sound. Other arguments remain to be listed. */
const recordPresets: Readonly<Record<string, boolean>> = {
  'preset-record-generic': false,
  'preset-record-generic-audio-aac': true,
  'preset-record-generic-audio-copy': true,
  'preset-record-ubiquiti': true,
  'preset-record-mjpeg': false,
  'preset-record-jpeg': false,
};

function recordsSound(settings: CameraSettings): boolean {
  const found = settings.find('ffmpeg', 'output_args', 'record');
  const isSound = typeof found?.value === 'string' ? recordPresets[found.value] : undefined;
  if (found && isSound !== undefined) settings.taken.add(found.path);
  return isSound ?? false;
}

/** Where Frigate detects nothing, no face is recognized. Settings that the file leaves open are as in the form. */
function recognizes(settings: CameraSettings): boolean {
  const said = [settings.take('face_recognition', 'enabled'), settings.take('detect', 'enabled')];
  return !said.some((found) => found && isOff(found.value));
}

/** The camera's ONVIF device service, as an address. */
function deviceOf(settings: CameraSettings): WrittenSource | null {
  const host = settings.own('onvif', 'host');
  if (typeof host?.value !== 'string' || host.value === '') return null;
  const [port, user, password] = ['port', 'user', 'password'].map((name) => {
    const value = settings.own('onvif', name)?.value;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  });
  for (const name of ['host', 'port', 'user', 'password']) {
    settings.taken.add(settings.pathOf('onvif', name));
  }
  const [, scheme = 'http://', name = ''] = /^(https?:\/\/)?([^/]*)/i.exec(host.value) ?? [];
  const signIn = user || password ? `${encoded(user!)}:${encoded(password!)}@` : '';
  const text = `${scheme}${signIn}${name}:${port || '8000'}/onvif/device_service`;
  return { text, path: host.path };
}

/** Variables stay unchanged: their values are encoded where they are filled in. */
const encoded = (text: string): string =>
  text.replace(/\{FRIGATE_\w{1,93}\}|[^{]+|\{/g, (part) =>
    part.startsWith('{FRIGATE_') ? part : encodeURIComponent(part),
  );

/** Groups of cameras in the file; `birdseye` and other entries that are no cameras remain to be listed. */
export function frigateGroups(file: Section, taken: Taken): WrittenGroup[] {
  const cameras = sectionOf(file, 'cameras');
  return Object.entries(sectionOf(file, 'camera_groups')).flatMap(([name, group]) => {
    const path = ['camera_groups', name];
    const listed = textsOf(memberOf(group, 'cameras'));
    const keys = listed.filter((key) => Object.hasOwn(cameras, key));
    if (keys.length === 0) return [];
    if (keys.length === listed.length) taken.add([...path, 'cameras']);
    return [{ name, cameras: keys.map((key) => `cameras.${key}`), path }];
  });
}
