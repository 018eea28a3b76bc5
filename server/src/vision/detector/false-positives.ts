/**
 * What one camera shows that looks like a face from afar and alone is none: a pattern of a carpet, a lamp. It
 * would be looked at again in each picture; for a while it is not, unless it moves or looks more like one.
 */
import type { Rect } from '#lib/geometry.ts';
import type { Detection } from './detection.ts';
import { iou } from '../picture.ts';

/** In looks: about two seconds while something moves, so that a face refuted for a blur is soon asked again. */
const heldForDetections = 10;
/** A box that shares less with what was refuted is somewhere else. */
const sameMinOverlap = 0.5;
/** What scores so much more than when it was refuted has changed. */
const changedByScore = 0.15;
/** A face lies about where it was thought to be. */
const foundMinOverlap = 0.2;

interface FalsePositive {
  readonly box: Rect;
  readonly score: number;
  readonly detectionsLeft: number;
}

export class FalsePositives {
  #known: readonly FalsePositive[] = [];

  /** Those of a look's detections that are worth another look. Called once a look. */
  worthAsking(found: readonly Detection[]): Detection[] {
    const held = this.#known.filter(({ detectionsLeft }) => detectionsLeft > 0);
    const matches = new Map<FalsePositive, Detection>();
    const worth = found.filter((it) => {
      const known = it.doubtful ? held.find(({ box }) => iou(box, it.box) > sameMinOverlap) : null;
      if (!known || it.score > known.score + changedByScore) return true;
      matches.set(known, it);
      return false;
    });
    // A pattern that drifts through the picture is followed.
    this.#known = held.map((known) => ({
      ...known,
      box: matches.get(known)?.box ?? known.box,
      detectionsLeft: known.detectionsLeft - 1,
    }));
    return worth;
  }

  /** What became of those that were asked: where no face is, there was none. */
  learn(asked: readonly Detection[], faces: readonly { readonly box: Rect }[]): void {
    const rejected = asked.filter(
      ({ doubtful, box }) => doubtful && !faces.some((it) => iou(it.box, box) > foundMinOverlap),
    );
    const apart = this.#known.filter(
      ({ box }) => !rejected.some((it) => iou(it.box, box) > sameMinOverlap),
    );
    const now = rejected.map(({ box, score }) => ({
      box,
      score,
      detectionsLeft: heldForDetections,
    }));
    this.#known = [...apart, ...now];
  }
}
