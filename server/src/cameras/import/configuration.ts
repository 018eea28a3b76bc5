/** What a configuration says of each camera, whichever program it is of. */
import { Problem } from '#lib/problem.ts';
import { sectionOf, textsOf, type Section } from './data.ts';
import { frigateCameras } from './frigate.ts';
import { go2rtcCameras } from './go2rtc.ts';
import type { Variables } from './source.ts';
import type { Written } from './written.ts';

export interface Configuration {
  readonly kind: 'frigate' | 'go2rtc';
  readonly cameras: readonly Written[];
  readonly variables: Variables;
}

/** Throws import_unknown. */
export function configurationOf(data: unknown, given: Variables): Configuration {
  const file = sectionOf(data);
  const variables = new Map([...setIn(file), ...given]);
  if (isFrigate(file)) return { kind: 'frigate', cameras: frigateCameras(file), variables };
  const streams = sectionOf(file, 'streams');
  if (Object.keys(streams).length > 0) {
    return { kind: 'go2rtc', cameras: go2rtcCameras(streams), variables };
  }
  throw new Problem('import_unknown', { field: 'text' });
}

const isFrigate = (file: Section): boolean =>
  Object.values(sectionOf(file, 'cameras')).some((camera) => 'ffmpeg' in sectionOf(camera));

/** `environment_vars` of Frigate. */
const setIn = (file: Section): [string, string][] =>
  Object.entries(sectionOf(file, 'environment_vars')).flatMap(([name, value]) =>
    [...textsOf(value), ...(typeof value === 'number' ? [String(value)] : [])].map(
      (text): [string, string] => [name, text],
    ),
  );
