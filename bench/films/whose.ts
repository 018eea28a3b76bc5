/** Whose face a box is drawn around, and whom a track followed. Pure. */
import type { FaceLabel } from '../../server/src/live/face-label.ts';
import { iou } from '../../server/src/vision/picture.ts';
import type { Logged } from './log.ts';
import { shape, truthAt, type Scene, type Truth } from './scene.ts';
import type { Drawn } from './screening.ts';
import type { Rect } from '../../server/src/lib/geometry.ts';

export const inPixels = ({ x, y, width, height }: Rect | FaceLabel): Rect => ({
  x: x * shape.width,
  y: y * shape.height,
  width: width * shape.width,
  height: height * shape.height,
});

/** The person in view who shows most of themselves there; null when no face is there. */
export function whoseFace(truth: readonly Truth[], box: Rect): Truth | null {
  const [best] = truth
    .map((it) => ({ it, worth: iou(it.box, box) * it.shown }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth);
  return best?.it ?? null;
}

/** By track, the appearance that it was drawn around most often; null for one that was around no face at all. */
export function followedBy(scene: Scene, drawn: readonly Drawn[]): Map<string, number | null> {
  const counts = new Map<string, Map<number, number>>();
  for (const { atMs, boxes } of drawn) {
    const truth = truthAt(scene, atMs / 1000);
    for (const box of boxes) {
      const count = counts.get(box.track_id) ?? new Map<number, number>();
      counts.set(box.track_id, count);
      const whose = whoseFace(truth, inPixels(box));
      if (whose) count.set(whose.appearance, (count.get(whose.appearance) ?? 0) + 1);
    }
  }
  return new Map(
    [...counts].map(([track, count]) => {
      const [most] = [...count].toSorted(([, a], [, b]) => b - a);
      return [track, most?.[0] ?? null];
    }),
  );
}

/** A visit of an unknown person is always true of some person. */
export function wasThere(scene: Scene, visit: Logged, startMs: number): boolean {
  if (visit.person === null) return true;
  const from = (visit.startedAtMs - startMs) / 1000;
  const until = (visit.endedAtMs - startMs) / 1000;
  return scene.appearances.some(
    ({ who, path }) => who === visit.person && path[0]!.at <= until && path.at(-1)!.at >= from,
  );
}
