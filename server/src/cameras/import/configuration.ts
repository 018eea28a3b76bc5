/** The contents of a configuration for each camera, whichever program it is for. */
import { Problem } from '#lib/problem.ts';
import { sectionOf, textsOf, type Section } from './data.ts';
import { frigateCameras, frigateGroups } from './frigate.ts';
import { go2rtcCameras } from './go2rtc.ts';
import { asRemark, leftIn } from './left-settings.ts';
import { frigateReason, go2rtcReason } from './reasons.ts';
import { Taken, type Path, type Remark } from './settings.ts';
import type { Variables } from './source.ts';
import type { Written, WrittenGroup } from './written.ts';

export interface Configuration {
  readonly kind: 'frigate' | 'go2rtc';
  readonly cameras: readonly Written[];
  readonly groups: readonly WrittenGroup[];
  /** Every setting that is not used for the cameras or the groups. */
  readonly left: Iterable<Remark>;
  readonly variables: Variables;
}

/** Throws import_unknown. */
export function configurationOf(data: unknown, given: Variables): Configuration {
  const file = sectionOf(data);
  const variables = new Map([...setIn(file), ...given]);
  const taken = new Taken();
  if (isFrigate(file)) {
    const cameras = frigateCameras(file, taken);
    const groups = frigateGroups(file, taken);
    return { kind: 'frigate', cameras, groups, left: leftOfFrigate(file, taken), variables };
  }
  const streams = sectionOf(file, 'streams');
  if (Object.keys(streams).length > 0) {
    const cameras = go2rtcCameras(streams, taken);
    return { kind: 'go2rtc', cameras, groups: [], left: leftOfGo2rtc(file, taken), variables };
  }
  throw new Problem('import_unknown', { field: 'text' });
}

const isFrigate = (file: Section): boolean =>
  Object.values(sectionOf(file, 'cameras')).some((camera) => 'ffmpeg' in sectionOf(camera));

/** For things that Nazar does not have, turning them off has no effect. */
const withoutEffect: ReadonlySet<string> = new Set(['not_in_nazar', 'objects', 'zone']);

function* leftOfFrigate(file: Section, taken: Taken): Generator<Remark> {
  const cameras = Object.values(sectionOf(file, 'cameras'));
  const ofCameras = new Set(cameras.flatMap((camera) => Object.keys(sectionOf(camera))));
  const mayCut = (path: Path): boolean => {
    if (!withoutEffect.has(frigateReason(path))) return false;
    // Turned off for all cameras, but possibly on again for one, which takes the other settings from there.
    return path[0] === 'cameras' || !ofCameras.has(String(path[0]));
  };
  for (const left of leftIn(file, taken.tree, mayCut)) yield asRemark(left, frigateReason);
}

function* leftOfGo2rtc(file: Section, taken: Taken): Generator<Remark> {
  for (const left of leftIn(file, taken.tree, () => false)) yield asRemark(left, go2rtcReason);
}

/** `environment_vars` of Frigate. */
const setIn = (file: Section): [string, string][] =>
  Object.entries(sectionOf(file, 'environment_vars')).flatMap(([name, value]) =>
    [...textsOf(value), ...(typeof value === 'number' ? [String(value)] : [])].map(
      (text): [string, string] => [name, text],
    ),
  );
