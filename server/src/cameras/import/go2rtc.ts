/** Streams of go2rtc: each is a camera, unless its name says that it is the second stream of another. */
import { memberOf, type Section } from './data.ts';
import { writtenSources } from './frigate.ts';
import type { Taken } from './settings.ts';
import { usualSettings, type Written } from './written.ts';

const subEnding = /[_\-. ](?:sub|substream|sub_?stream|low|lq|small|detect)$/i;
const mainEnding = /[_\-. ](?:main|mainstream|high|hd|hq|record)$/i;

export function go2rtcCameras(streams: Section, taken: Taken): Written[] {
  // Each stream is a camera, or is listed as one that is not imported.
  taken.add(['streams']);
  const names = Object.keys(streams);
  const subsOf = subsByMain(names);
  const subs = new Set([...subsOf.values()].flat());
  const sourcesOf = (name: string) => writtenSources(memberOf(streams, name), ['streams', name]);
  return names
    .filter((name) => !subs.has(name))
    .map((name) => {
      const own = subsOf.get(name) ?? [];
      return {
        key: `streams.${name}`,
        path: ['streams', name],
        name: own.length === 0 ? name : name.replace(mainEnding, ''),
        isEnabled: true,
        main: sourcesOf(name),
        // Sources of a further sub-stream are reported as more than a camera has.
        sub: own.flatMap(sourcesOf),
        unknown: [],
        settings: usualSettings,
      };
    });
}
/** The sub-streams of each main stream, by their names. Each name is looked up once, however many there are. */
function subsByMain(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const mains = new Map<string, string>();
  for (const name of names) {
    const base = name.replace(mainEnding, '');
    if (!mains.has(base)) mains.set(base, name);
  }
  const mainOf = (name: string): string | undefined =>
    subEnding.test(name) ? mains.get(name.replace(subEnding, '')) : undefined;
  const subs = new Map<string, string[]>();
  for (const name of names) {
    const main = mainOf(name);
    // The sub-stream of a sub-stream is a camera of its own.
    if (main === undefined || mainOf(main) !== undefined) continue;
    const all = subs.get(main);
    if (all) all.push(name);
    else subs.set(main, [name]);
  }
  return subs;
}
