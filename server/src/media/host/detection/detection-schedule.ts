/**
 * When a camera's frame is analyzed, and which parts of it: a few times a second where something moves, rarely where
 * nothing does. Pure: times and motion go in.
 */
import type { Rect } from '#lib/geometry.ts';
import type { Motion } from '../motion/motion.ts';

/** What to analyze now; empty regions mean all of the frame. */
export interface Plan {
  readonly regions: readonly Rect[];
  readonly quickScan: boolean;
}

/**
 * One detection in three is thorough while things move. A face of 32 px between the eyes in a 720p picture is found
 * from afar too; smaller ones are searched 1.7 times a second, which costs six times as much.
 */
const thoroughEvery = 3;
/** Somebody who stands still is seen this often; the tracker gives a face up after 1.5 s. */
const stillEveryMs = 1_000;
/** A still picture without a face: nobody comes into view without moving. 0.4 % of a core at 720p. */
const idleEveryMs = 10_000;
/** A still picture counts as empty after so many detections without a face. */
const emptyScans = 3;

export class DetectionSchedule {
  #analyzedAtMs = -Infinity;
  /** When all of the picture was analyzed. */
  #wholeAtMs = -Infinity;
  #moving = 0;
  #empty = 0;
  /** Faces as they were last seen. */
  #faces: readonly Rect[] = [];

  /** Null when nothing is to be analyzed. Each plan's outcome goes to `saw`. */
  next(nowMs: number, { regions, cut }: Motion): Plan | null {
    if (cut) {
      this.#faces = [];
      this.#wholeAtMs = nowMs;
    }
    const still = regions.length === 0 && !cut;
    const everyMs = this.#empty < emptyScans ? stillEveryMs : idleEveryMs;
    if (still && nowMs - this.#analyzedAtMs < everyMs) return null;
    this.#analyzedAtMs = nowMs;
    if (still) return this.#still(nowMs);
    this.#empty = 0;
    // The first detection of a new scene is a thorough one.
    this.#moving = cut ? 0 : this.#moving + 1;
    const quickScan = this.#moving % thoroughEvery !== 0;
    if (cut || quickScan) return { regions, quickScan };
    // Somebody may stand still while another moves.
    return { regions: [...regions, ...apart(this.#faces, regions)], quickScan };
  }

  /** The faces that a detection in those regions found. */
  saw({ regions }: Plan, faces: readonly Rect[]): void {
    const unseen = regions.length === 0 ? [] : apart(this.#faces, regions);
    this.#faces = [...faces, ...unseen];
    this.#empty = this.#faces.length > 0 ? 0 : this.#empty + 1;
  }

  #still(nowMs: number): Plan {
    this.#moving = 0;
    const around = nowMs - this.#wholeAtMs < idleEveryMs ? this.#faces : [];
    if (around.length === 0) this.#wholeAtMs = nowMs;
    return { regions: around, quickScan: false };
  }
}

/** Those of the faces that no region touches. */
function apart(faces: readonly Rect[], regions: readonly Rect[]): Rect[] {
  return faces.filter((face) => !regions.some((region) => touches(face, region)));
}

function touches(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
