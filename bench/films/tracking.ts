/**
 * How well faces were followed, counted as in CLEAR MOT (Bernardin and Stiefelhagen 2008): a person who is given
 * another number has been switched, one who is lost in plain view and found again is a fragmentation. A person who
 * leaves and comes back is expected to get a new number and begins again here. Pure.
 */
import { iou } from '../../server/src/vision/picture.ts';
import type { Truth } from './scene.ts';
import type { Rect } from '../../server/src/lib/geometry.ts';

export interface Numbered {
  readonly id: string;
  readonly box: Rect;
}

/** One picture: who was in it, and what a tracker reported. */
export interface Tracked {
  readonly truth: readonly Truth[];
  readonly boxes: readonly Numbered[];
}

export interface Tracking {
  /** Faces in plain view, over all pictures, and how many of them had a box. */
  readonly inPlainView: number;
  readonly followed: number;
  /** How often a person got another number than before. */
  readonly switches: number;
  /** How often that number had been another person's. A name would go with it. */
  readonly passedOn: number;
  readonly fragmentations: number;
  /** Boxes where no face was. */
  readonly ghosts: number;
}

/** A face that shows this share of itself should be followed; one that shows less may be. */
const plainView = 0.75;
const anyView = 0.15;
const minShared = 0.2;

interface Followed {
  /** The last number it had. */
  id: string;
  /** Whether it was in plain view without a box since. */
  isLost: boolean;
}

export function judgeTracking(pictures: readonly Tracked[]): Tracking {
  const followed = new Map<number, Followed>();
  const owners = new Map<string, number>();
  const count = {
    inPlainView: 0,
    followed: 0,
    switches: 0,
    passedOn: 0,
    fragmentations: 0,
    ghosts: 0,
  };
  for (const { truth, boxes } of pictures) {
    const seen = truth.filter(({ shown }) => shown >= anyView);
    const pairs = matched(seen, boxes, followed);
    count.ghosts += boxes.filter(({ box }) => !truth.some((it) => iou(it.box, box) > 0)).length;
    for (const { appearance, shown } of seen) {
      const isPlain = shown >= plainView;
      if (isPlain) count.inPlainView += 1;
      const id = pairs.get(appearance);
      const before = followed.get(appearance);
      if (id === undefined) {
        if (before && isPlain) before.isLost = true;
        continue;
      }
      if (isPlain) count.followed += 1;
      if (before?.isLost) count.fragmentations += 1;
      if (before && before.id !== id) count.switches += 1;
      const owner = owners.get(id);
      if (owner !== undefined && owner !== appearance) count.passedOn += 1;
      owners.set(id, appearance);
      followed.set(appearance, { id, isLost: false });
    }
  }
  return count;
}

/** Assigns boxes to people by place alone: a person keeps their number where it still fits. */
function matched(
  seen: readonly Truth[],
  boxes: readonly Numbered[],
  followed: ReadonlyMap<number, Followed>,
): Map<number, string> {
  const pairs = seen.flatMap(({ appearance, box, shown }) =>
    boxes.flatMap((it) => {
      const shared = iou(box, it.box);
      if (shared < minShared) return [];
      const keeps = followed.get(appearance)?.id === it.id;
      return [{ appearance, id: it.id, worth: shared * shown + (keeps ? 0.1 : 0) }];
    }),
  );
  const found = new Map<number, string>();
  const taken = new Set<string>();
  for (const { appearance, id } of pairs.toSorted((a, b) => b.worth - a.worth)) {
    if (found.has(appearance) || taken.has(id)) continue;
    found.set(appearance, id);
    taken.add(id);
  }
  return found;
}

export function sumOf(all: readonly Tracking[]): Tracking {
  const sum = (of: keyof Tracking): number => all.reduce((total, it) => total + it[of], 0);
  return {
    inPlainView: sum('inPlainView'),
    followed: sum('followed'),
    switches: sum('switches'),
    passedOn: sum('passedOn'),
    fragmentations: sum('fragmentations'),
    ghosts: sum('ghosts'),
  };
}
