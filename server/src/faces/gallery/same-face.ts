/**
 * Whether two entries of the gallery are one face, by their photos alone: one person was enrolled twice, by one
 * account or by two. Pure.
 */
import { distance } from '#vision/vision.ts';
import type { Calibration } from '#vision/packs/pack.ts';
import type { Reference } from './gallery.ts';

/**
 * Two photos nearer than this show one face. It is the limit for faces that only just pass: at `openSet` two
 * people who look alike (siblings) would be taken for one, and the margin would no longer keep them apart.
 */
export const sameFaceLimit = ({ strict }: Calibration): number => strict;

/**
 * Whether one entry is the same face as another, and if so, which of the two was enrolled with that face first: by
 * the photos that are near to each other, so that a photo added to an old entry today counts from today. Of two that
 * were added at once the first is `earlier`. Null: they are not the same face.
 */
export function compareEntries(
  entry: readonly Reference[],
  other: readonly Reference[],
  limit: number,
): 'earlier' | 'later' | null {
  let [entryMs, otherMs] = [Infinity, Infinity];
  for (const one of entry) {
    for (const two of other) {
      if (one.pack !== two.pack || distance(one.vector, two.vector) >= limit) continue;
      entryMs = Math.min(entryMs, one.addedAtMs ?? 0);
      otherMs = Math.min(otherMs, two.addedAtMs ?? 0);
    }
  }
  if (entryMs === Infinity) return null;
  return entryMs <= otherMs ? 'earlier' : 'later';
}
