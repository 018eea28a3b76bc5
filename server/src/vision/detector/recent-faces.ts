/**
 * Where the last detections of one scene found faces. A network is certain about a pattern too, for one picture in a
 * hundred: where no face was a moment ago, one that is certain is confirmed alone like one that is doubtful, and only
 * then. Confirming each face in each picture would cost 1.5 ms and lose faces that are turned away: of 103 people who
 * came by 98 instead of 101 were named within 2 s.
 */
import type { Rect } from '#lib/geometry.ts';
import { iou } from '../picture.ts';
import type { Detection } from './detection.ts';

/** A face that turns away or is hidden for so many detections (0.4 s) is not new when it is seen again. */
const heldForDetections = 2;
/** A person who walks past at an arm's length moves by half a face from one detection to the next. */
const sameMinOverlap = 0.2;

interface RecentFace {
  readonly box: Rect;
  readonly detectionsLeft: number;
}

export class RecentFaces {
  #faces: readonly RecentFace[] = [];

  /** Returns the detections of a picture; those are doubtful where no face was before. Called once a picture. */
  doubtingNew(found: readonly Detection[], isExtra = false): Detection[] {
    const held = this.#faces;
    if (!isExtra) this.#age();
    return found.map((it) => {
      const isNew = !held.some(({ box }) => iou(box, it.box) > sameMinOverlap);
      return isNew ? { ...it, doubtful: true } : it;
    });
  }

  #age(): void {
    this.#faces = this.#faces
      .map(({ box, detectionsLeft }) => ({ box, detectionsLeft: detectionsLeft - 1 }))
      .filter(({ detectionsLeft }) => detectionsLeft > 0);
  }

  /** Learns where faces are. */
  learn(faces: readonly { readonly box: Rect }[]): void {
    const others = this.#faces.filter(
      (it) => !faces.some(({ box }) => iou(box, it.box) > sameMinOverlap),
    );
    const seen = faces.map(({ box }) => ({ box, detectionsLeft: heldForDetections + 1 }));
    this.#faces = [...others, ...seen];
  }
}
