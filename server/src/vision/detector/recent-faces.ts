/**
 * Where the last detections of one scene found faces. A network is certain about a pattern too, for one picture in a
 * hundred: where no face was a moment ago, one that is certain is confirmed alone like one that is doubtful, and only
 * then. Confirming each face in each picture would cost 1.8 ms and lose faces that are turned away: of 103 people who
 * came by 98 instead of 101 were named within 2 s. Where a face was, its landmarks begin where they were.
 */
import type { Rect } from '#lib/geometry.ts';
import { iou } from '../picture.ts';
import type { Detection, Outline } from './detection.ts';

/** A face that turns away or is hidden for so many detections (0.4 s) is not new when it is seen again. */
const heldForDetections = 2;
/** Somebody who walks past at an arm's length moves by half a face from one detection to the next. */
const sameMinOverlap = 0.2;
/** What is learned of a face. */
export interface SeenFace {
  readonly box: Rect;
  readonly outline?: Outline;
}

interface RecentFace extends SeenFace {
  readonly detectionsLeft: number;
}

export class RecentFaces {
  #faces: readonly RecentFace[] = [];

  /**
   * Returns the detections of a picture: doubtful where no face was before, with where its outline is expected where
   * one was. Called once a picture.
   */
  compared(found: readonly Detection[]): Detection[] {
    const held = this.#faces;
    this.#faces = held
      .map((face) => ({ ...face, detectionsLeft: face.detectionsLeft - 1 }))
      .filter(({ detectionsLeft }) => detectionsLeft > 0);
    return found.map((it) => {
      const before = sameAs(it.box, held);
      if (!before) return { ...it, doubtful: true };
      const expected = expectedAt(it.box, before);
      return expected ? { ...it, expected } : it;
    });
  }

  /** Learns where faces are. */
  learn(faces: readonly SeenFace[]): void {
    const others = this.#faces.filter(({ box }) => !sameAs(box, faces));
    const seen = faces.map(({ box, outline }) => ({
      box,
      ...(outline && { outline }),
      detectionsLeft: heldForDetections + 1,
    }));
    this.#faces = [...others, ...seen];
  }
}

/** The one that shares most with the box, if it may be of the same face. */
function sameAs<F extends { readonly box: Rect }>(box: Rect, faces: readonly F[]): F | null {
  const [best] = faces
    .map((face) => ({ face, shared: iou(face.box, box) }))
    .filter(({ shared }) => shared > sameMinOverlap)
    .toSorted((a, b) => b.shared - a.shared);
  return best?.face ?? null;
}

/** As far from the box, and as large, as it was before. */
function expectedAt(now: Rect, { box, outline }: SeenFace): Outline | null {
  if (!outline) return null;
  const by = now.width / box.width;
  const [x, y] = [now.x + now.width / 2, now.y + now.height / 2];
  const [fromX, fromY] = [outline.x - box.x - box.width / 2, outline.y - box.y - box.height / 2];
  return { x: x + by * fromX, y: y + by * fromY, side: by * outline.side, angle: outline.angle };
}
