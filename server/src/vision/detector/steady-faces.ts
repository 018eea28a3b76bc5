/**
 * Faces that go on as they went in the last pictures of a scene. A face costs six times what finding it does: it is
 * confirmed where it is small, its points are found in two passes, it is cut out and measured. Of one that was found
 * five times in a row and moves as it did, a quick scan needs less: it is not confirmed, and if no face is near it is
 * not even measured, only its place is taken. The thorough detections between, 1.7 a second, do all of it.
 */
import type { Point, Rect } from '#lib/geometry.ts';
import type { FaceView } from '../messages.ts';
import { intersection, iou, stepBetween, widened } from '../picture.ts';
import type { Detection } from './detection.ts';

/** Detections in a row that found the face: a second, in which a track asks for its first three vectors. */
const steadyAfter = 5;
/** A face that goes on as it did overlaps at least so much with the place where it is expected. */
const expectedMinOverlap = 0.5;
/** A face that comes nearer than this many boxes may be the one that is seen next. */
const apartBoxes = 1;

interface SteadyFace {
  readonly view: FaceView;
  /** How many detections in a row found it. */
  readonly seen: number;
  /** From one detection to the next, in pixels. */
  readonly step: Point;
}

export interface CarriedOn {
  /** Faces as they were measured last, where they are now, without chips. */
  readonly carried: readonly FaceView[];
  /** What must be measured. */
  readonly others: readonly Detection[];
}

export class SteadyFaces {
  #faces: readonly SteadyFace[] = [];

  /** Takes the detections of a quick scan. */
  carryOn(found: readonly Detection[]): CarriedOn {
    const carried: FaceView[] = [];
    const others: Detection[] = [];
    for (const it of found) {
      const steady = this.#steadyAt(it.box);
      if (!steady) others.push(it);
      else if (this.#isAlone(it, found)) carried.push(movedTo(steady.view, it.box));
      else others.push({ ...it, score: steady.view.score, doubtful: false });
    }
    return { carried, others };
  }

  /** Learns where the faces of a picture are, carried on or measured. */
  learn(faces: readonly FaceView[]): void {
    this.#faces = faces.map((view) => {
      const before = this.#faces.find((it) => isExpectedAt(it, view.box));
      if (!before) return { view, seen: 1, step: [0, 0] };
      return { view, seen: before.seen + 1, step: stepBetween(before.view.box, view.box) };
    });
  }

  /** Null where none of them is, or it could be one of two. */
  #steadyAt(box: Rect): SteadyFace | null {
    const [one, another] = this.#faces.filter((it) => isExpectedAt(it, box));
    return one && !another && one.seen >= steadyAfter ? one : null;
  }

  #isAlone(it: Detection, found: readonly Detection[]): boolean {
    const near = widened(it.box, apartBoxes);
    const isNear = ({ box }: { readonly box: Rect }): boolean => intersection(box, near) > 0;
    return (
      !found.some((other) => other !== it && isNear(other)) &&
      this.#faces.filter(({ view }) => isNear(view)).length === 1
    );
  }
}

const isExpectedAt = ({ view: { box }, step: [x, y] }: SteadyFace, now: Rect): boolean =>
  iou({ ...box, x: box.x + x, y: box.y + y }, now) > expectedMinOverlap;

/** The face keeps its size and its score: those of a quick scan tremble, the size by a sixth. */
function movedTo(view: FaceView, box: Rect): FaceView {
  const [x, y] = stepBetween(view.box, box);
  return {
    ...view,
    box: { ...view.box, x: view.box.x + x, y: view.box.y + y },
    points: view.points.map((point) => [point[0] + x, point[1] + y] as const),
    chip: null,
    chipBox: null,
  };
}
