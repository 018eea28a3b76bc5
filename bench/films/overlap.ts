/**
 * A common simple tracker: a face keeps its number while its box overlaps the one before, without speed or
 * appearance. It is compared on the same detections.
 */
import type { FaceView } from '../../server/src/vision/messages.ts';
import { iou } from '../../server/src/vision/picture.ts';
import { sureScore } from '../../server/src/vision/quality.ts';
import type { Numbered } from './tracking.ts';
import type { Rect } from '../../server/src/lib/geometry.ts';

const minShared = 0.3;
/** As long as in the product's tracker. */
const lostAfterMs = 1_500;

export class OverlapTracker {
  #tracks: { readonly id: string; readonly box: Rect; readonly at: number }[] = [];
  #lastId = 0;

  update(at: number, faces: readonly Pick<FaceView, 'box' | 'score'>[]): Numbered[] {
    const free = new Set(this.#tracks.filter((track) => at - track.at <= lostAfterMs));
    const sure = faces.filter(({ score }) => score >= sureScore);
    const pairs = sure
      .flatMap(({ box }) => [...free].map((track) => ({ box, track, shared: iou(box, track.box) })))
      .filter(({ shared }) => shared >= minShared)
      .toSorted((a, b) => b.shared - a.shared);
    const ids = new Map<Rect, string>();
    for (const { box, track } of pairs) {
      if (ids.has(box) || !free.delete(track)) continue;
      ids.set(box, track.id);
    }
    const seen = sure.map(({ box }) => ({ id: ids.get(box) ?? `${(this.#lastId += 1)}`, box, at }));
    this.#tracks = [...seen, ...free];
    return seen.map(({ id, box }) => ({ id, box }));
  }
}
