/**
 * Things in the view of one camera that look like a face from afar and alone are none: a pattern of a carpet, a lamp.
 * The detector would check them again in each picture; for a while it does not, unless they move or look more like a
 * face.
 */
import type { Rect } from '#lib/geometry.ts';
import type { Detection } from './detection.ts';
import { iou } from '../picture.ts';

/** In detections: about two seconds while something moves, so that a face rejected for a blur is soon checked again. */
const heldForDetections = 10;
/** A box that shares less with a false positive is somewhere else. */
const sameMinOverlap = 0.5;
/** A detection whose score is higher by this much than when it was rejected has changed. */
const changedByScore = 0.15;
/** A face lies about where the detector placed it. */
const foundMinOverlap = 0.2;

interface FalsePositive {
  readonly box: Rect;
  readonly score: number;
  readonly detectionsLeft: number;
}

export class FalsePositives {
  #known: readonly FalsePositive[] = [];

  /** Returns those of a picture's detections that are worth checking. An extra picture is not counted. */
  worthAsking(found: readonly Detection[], isExtra = false): Detection[] {
    const held = this.#known.filter(({ detectionsLeft }) => detectionsLeft > 0);
    const matches = new Map<FalsePositive, Detection>();
    const worth = found.filter((it) => {
      const known = it.doubtful ? held.find(({ box }) => iou(box, it.box) > sameMinOverlap) : null;
      if (!known || it.score > known.score + changedByScore) return true;
      matches.set(known, it);
      return false;
    });
    if (isExtra) return worth;
    // A pattern that drifts through the picture is followed.
    this.#known = held.map((known) => ({
      ...known,
      box: matches.get(known)?.box ?? known.box,
      detectionsLeft: known.detectionsLeft - 1,
    }));
    return worth;
  }

  /** Learns from what was checked: where no face was confirmed, there was none. */
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
