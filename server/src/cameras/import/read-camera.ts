/** A camera in the form's terms, made from its settings in a file. */
import { CameraFields } from '@nazar/contract/cameras.ts';
import type { LeftOut } from '@nazar/contract/camera-import.ts';
import { asName } from '#lib/names.ts';
import { Problem } from '#lib/problem.ts';
import { reached } from '../address.ts';
import type { Path, Remark } from './settings.ts';
import { isNotTaken, readSource, type Stream, type Variables } from './source.ts';
import type { Written, WrittenSettings, WrittenSource } from './written.ts';

export interface Readable {
  readonly key: string;
  /** Its path in the file. */
  readonly path: Path;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly fields: Pick<
    CameraFields,
    | 'type'
    | 'url'
    | 'sub_url'
    | 'device_url'
    | 'username'
    | 'password'
    | 'enable_audio'
    | 'enable_face_recognition'
  >;
  readonly settings: Pick<WrittenSettings, 'recording' | 'zones' | 'zonesOfSub'>;
}

export type Fault = Pick<LeftOut, 'fault' | 'about'>;

export interface ReadCamera {
  /** Null if none of its streams can be used. */
  readonly found: Readable | null;
  /** The faults of streams that aren't used. */
  readonly faults: readonly Fault[];
  /** The settings that aren't taken over. */
  readonly remarks: readonly Remark[];
}

const maxSources = 20;
const maxKeyChars = 300;

export function readCamera(written: Written, variables: Variables): ReadCamera {
  const { key, path, name, isEnabled, main, sub, unknown, settings } = written;
  const faults: Fault[] = unknown.map((about) => ({
    fault: 'unknown_stream',
    about: short(about),
  }));
  const first = firstUsable(main, variables);
  const second = firstUsable(sub, variables);
  faults.push(...first.faults, ...second.faults);
  if (main.length === 0 && unknown.length === 0) faults.push({ fault: 'no_source', about: '' });
  const left = (more: readonly Fault[]): ReadCamera => ({
    found: null,
    faults: [...faults, ...more],
    remarks: [],
  });
  if (!first.stream) return left([]);
  if (key.length > maxKeyChars) return left([{ fault: 'name_too_long', about: '' }]);
  const isShared = second.stream !== null && isSameSignIn(first.stream, second.stream);
  if (second.stream && !isShared) faults.push({ fault: 'other_sign_in', about: '' });
  const device = deviceUrl(first.stream, settings.device, variables);
  const streams = fieldsOf(first.stream, isShared ? second.stream : null, device ?? '');
  if (!streams) return left([{ fault: 'address_refused', about: '' }]);
  const { recording, zones, zonesOfSub, enable_audio, enable_face_recognition } = settings;
  const fields = { ...streams, enable_audio, enable_face_recognition };
  return {
    found: {
      key,
      path,
      name: short(name),
      isEnabled,
      fields,
      settings: { recording, zones, zonesOfSub },
    },
    faults,
    remarks: [
      ...settings.remarks,
      ...first.remarks,
      ...(isShared ? second.remarks : []),
      ...(settings.device && device === null
        ? [{ path: settings.device.path, value: null, reason: 'other_device' as const }]
        : []),
    ],
  };
}

/** The first source that Nazar can open; earlier ones with their faults, later ones as further sources. */
function firstUsable(
  sources: readonly WrittenSource[],
  variables: Variables,
): {
  readonly stream: Stream | null;
  readonly faults: readonly Fault[];
  readonly remarks: readonly Remark[];
} {
  let stream: Stream | null = null;
  let remarks: readonly Remark[] = [];
  const faults: Fault[] = [];
  for (const { text, path } of sources.slice(0, maxSources)) {
    const source = readSource(text, variables);
    if (isNotTaken(source)) faults.push(source);
    else if (stream === null) {
      ({ stream } = source);
      const { options } = source;
      remarks = options.map((value) => ({
        path: [...path, value],
        value,
        reason: 'source_option',
      }));
    } else faults.push({ fault: 'further_source', about: '' });
  }
  if (sources.length > maxSources) faults.push({ fault: 'further_source', about: '' });
  return { stream, faults, remarks };
}

/** Both streams of a camera use one user name and password. */
const isSameSignIn = (main: Stream, sub: Stream): boolean =>
  isSameHost(main, sub) && main.username === sub.username && main.password === sub.password;

const isSameHost = (a: Stream, b: Stream): boolean =>
  URL.parse(a.url)?.hostname === URL.parse(b.url)?.hostname;

/** The address for moving the camera, with its own sign-in; null if that is another device. */
function deviceUrl(
  main: Stream,
  device: WrittenSource | null,
  variables: Variables,
): string | null {
  if (!device) return null;
  const source = readSource(device.text, variables);
  if (isNotTaken(source)) return null;
  const { stream } = source;
  const isOpen = isSameHost(main, stream) && stream.username === '' && stream.password === '';
  return isOpen || isSameSignIn(main, stream) ? stream.url : null;
}

/** Null if the form would refuse it. */
function fieldsOf(main: Stream, sub: Stream | null, device_url: string) {
  const type = main.url.startsWith('rtsp') ? ('rtsp' as const) : ('http' as const);
  const { url, username, password } = main;
  const typed = { type, url, sub_url: sub?.url ?? '', device_url, username, password };
  const isWhole = CameraFields.safeParse({ name: 'x', location: 'x', ...typed }).success;
  if (!isWhole) return null;
  try {
    return { ...typed, url: reached(typed).url };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Names may be as long as a camera's. */
export const short = (name: string): string => asName(name, 150) || '-';
