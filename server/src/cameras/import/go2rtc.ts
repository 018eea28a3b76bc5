/** Streams of go2rtc: each is a camera, unless its name says that it is the second stream of another. */
import { memberOf, textsOf, type Section } from './data.ts';
import type { Written } from './written.ts';

const subEnding = /[_\-. ](?:sub|substream|sub_?stream|low|lq|small|detect)$/i;
const mainEnding = /[_\-. ](?:main|mainstream|high|hd|hq|record)$/i;

export function go2rtcCameras(streams: Section): Written[] {
  const names = Object.keys(streams);
  const mains = names.filter((name) => mainOf(name, names) === null);
  return mains.map((name) => {
    const sub = names.find((other) => mainOf(other, names) === name);
    return {
      key: `streams.${name}`,
      name: sub === undefined ? name : name.replace(mainEnding, ''),
      isEnabled: true,
      main: textsOf(memberOf(streams, name)),
      sub: sub === undefined ? [] : textsOf(memberOf(streams, sub)),
      unknown: [],
    };
  });
}

/** The stream whose smaller one this is, by their names; null: it stands for itself. */
function mainOf(name: string, names: readonly string[]): string | null {
  if (!subEnding.test(name)) return null;
  const base = name.replace(subEnding, '');
  return names.find((other) => other !== name && other.replace(mainEnding, '') === base) ?? null;
}
