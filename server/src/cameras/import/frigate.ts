/**
 * Cameras of Frigate: each has inputs with roles. The one that is recorded is the main stream, the one where things are
 * looked for the second. An input may be a restream of the go2rtc inside, whose own source is taken instead.
 */
import { listOf, memberOf, sectionOf, textsOf, type Section } from './data.ts';
import type { Written } from './written.ts';

/** Where Frigate reaches the go2rtc inside itself. */
const restream = /^rtsp:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):8554\/([^/?#]+)/i;

interface Input {
  readonly path: string;
  readonly roles: readonly string[];
}

export function frigateCameras(file: Section): Written[] {
  const streams = sectionOf(sectionOf(file, 'go2rtc'), 'streams');
  return Object.entries(sectionOf(file, 'cameras')).map(([key, camera]) => {
    const inputs = inputsOf(camera);
    const main = inputs.find(({ roles }) => roles.includes('record')) ?? inputs[0];
    const other = inputs.find(({ roles }) => roles.includes('detect'));
    const sub = other === main || other?.path === main?.path ? undefined : other;
    const read = [main, sub].map((input) => sourcesOf(input, streams));
    return {
      key: `cameras.${key}`,
      name: nameOf(camera, key),
      isEnabled: !isOff(memberOf(camera, 'enabled')),
      main: read[0]!.sources,
      sub: read[1]!.sources,
      unknown: read.flatMap(({ unknown }) => unknown),
    };
  });
}

function nameOf(camera: unknown, key: string): string {
  const [friendly] = [
    ...textsOf(memberOf(camera, 'friendly_name')),
    ...textsOf(memberOf(sectionOf(camera, 'ui'), 'friendly_name')),
  ];
  return friendly ?? key;
}

/** As Frigate reads it: a boolean, or a word or number for one. */
const isOff = (enabled: unknown): boolean =>
  ['false', 'no', 'off', 'n', 'f', '0'].includes(String(enabled).toLowerCase());

function inputsOf(camera: unknown): Input[] {
  return listOf(memberOf(sectionOf(camera, 'ffmpeg'), 'inputs')).flatMap((input) =>
    textsOf(memberOf(input, 'path')).map((path) => ({
      path,
      roles: textsOf(memberOf(input, 'roles')),
    })),
  );
}

function sourcesOf(
  input: Input | undefined,
  streams: Section,
): { readonly sources: readonly string[]; readonly unknown: readonly string[] } {
  if (!input) return { sources: [], unknown: [] };
  const name = restream.exec(input.path)?.[1];
  if (name === undefined) return { sources: [input.path], unknown: [] };
  const sources = textsOf(memberOf(streams, decoded(name)));
  return { sources, unknown: sources.length === 0 ? [decoded(name)] : [] };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
