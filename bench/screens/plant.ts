/** Sentences that are surely untrue, put among what was read: a judge that does not find each of them is worth nothing. */
import { word } from './said.ts';
import type { Observed } from './watch.ts';

/** By trouble: what is said in the middle of it that is not so. */
const lies: Readonly<Record<string, (one: Observed) => Partial<Observed> | null>> = {
  'a camera is unplugged': ({ camera, place }) =>
    camera === 'Unplugged' && place === 'state'
      ? { text: word('ingest.state.live'), asOf: null, picture: null }
      : null,
  'a camera freezes': ({ camera, place }) =>
    camera === 'Frozen' && place === 'state'
      ? { text: word('recordingControl.recorded.continuous'), asOf: null }
      : null,
  'a camera is slow': ({ camera, place }) =>
    camera === 'Steady' && place === 'state'
      ? { text: `${word('ingest.state.offline')}: ${word('ingest.cause.unreachable')}`, asOf: null }
      : null,
  'a viewer is slow': ({ screen, place }) =>
    screen === 'slow live view' && place === 'state'
      ? { text: word('ingest.state.live'), picture: { ageMs: 21_000, movesMs: 0 } }
      : null,
  'the server is stopped': ({ place }) => (place === 'line' ? { text: '', asOf: null } : null),
};

/**
 * One of each kind on each screen that said something of it, from the middle of the time in which all screens know its
 * trouble: what is read last may be read, by a busy machine, when it is over.
 */
export function planted(observed: readonly Observed[]): Observed[] {
  return Object.entries(lies).flatMap(([trouble, lie]) => {
    const during = observed.filter((one) => one.trouble === trouble && one.isLate);
    const screens = Map.groupBy(during, ({ screen }) => screen);
    return [...screens.values()].flatMap((ofScreen) => {
      const wrong = ofScreen.flatMap((one) => {
        const change = lie(one);
        return change === null ? [] : [{ ...one, ...change }];
      });
      return wrong[wrong.length >> 1] ?? [];
    });
  });
}
