/**
 * Decides when and where faces are detected in a camera's picture: a few times a second where something moves, rarely
 * where nothing does. Pure: times and motion go in.
 */
import type { Rect } from '#lib/geometry.ts';
import type { Motion } from '../motion/motion.ts';

/** Where to detect now; empty regions mean the whole picture. */
export interface Plan {
  readonly regions: readonly Rect[];
  readonly quickScan: boolean;
}

/**
 * Every third detection is thorough while something moves. A quick scan finds faces of 32 px between the eyes in a 720p
 * picture; thorough ones, which find smaller faces, come 1.7 times a second and cost six times as much.
 */
const thoroughEvery = 3;
/** A face that stands still is detected this often; the tracker drops a face after 1.5 s. */
const stillEveryMs = 1_000;
/** For a still picture without a face: no person comes into view without moving. 0.4 % of a core at 720p. */
const idleEveryMs = 10_000;
/** A still picture counts as empty after so many detections without a face. */
const emptyScans = 3;

export class DetectionSchedule {
  #analyzedAtMs = -Infinity;
  /** When the whole picture was scanned. */
  #wholeAtMs = -Infinity;
  #moving = 0;
  #empty = 0;
  /** The faces where they were last detected. */
  #faces: readonly Rect[] = [];

  /** Null when nothing is to be detected now. The caller reports the outcome of each plan to `found`. */
  next(nowMs: number, { regions, cut }: Pick<Motion, 'regions' | 'cut'>): Plan | null {
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
    // The first detection in a new scene is thorough.
    this.#moving = cut ? 0 : this.#moving + 1;
    const quickScan = this.#moving % thoroughEvery !== 0;
    if (cut || quickScan) return { regions, quickScan };
    // One face may stand still while another moves.
    return { regions: [...regions, ...apart(this.#faces, regions)], quickScan };
  }

  /** Takes the faces that were found in the plan's regions. */
  found({ regions }: Plan, faces: readonly Rect[]): void {
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

/** Returns the faces that no region touches. */
function apart(faces: readonly Rect[], regions: readonly Rect[]): Rect[] {
  return faces.filter((face) => !regions.some((region) => touches(face, region)));
}

function touches(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
