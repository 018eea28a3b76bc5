/** People who pass cameras in a test, each with an appearance of their own, at moments that overlap no other visit. */
import type { Visits, DecidedVisit, VisitPicture } from '#visits/visits.ts';
import { aPicture, aVector, aVisit, type World } from './world.ts';

const hourMs = 60 * 60_000;
let lastFace = 1_000;

export interface Pass {
  readonly picture: VisitPicture;
  readonly atMs?: number;
  readonly camera?: string;
  readonly beside?: readonly string[];
  /** Null: an unknown person. */
  readonly identityId?: string | null;
}

export interface Passers {
  readonly later: () => number;
  /** Written by `at`, else by the world's own node. */
  readonly see: (
    pass: Pass,
    at?: Visits,
  ) => Promise<{ readonly visit: DecidedVisit; readonly identityId: string }>;
}

/** An appearance that no other person has. */
export const newFace = (): number => (lastFace += 1);

export function passersOf(world: World, gate: string): Passers {
  let nextMs = 0;
  const later = (): number => world.clock.now() + (nextMs += hourMs);
  return {
    later,
    see: async ({ picture, atMs = later(), camera = gate, ...more }, at = world.visits) => {
      const visit = aVisit(camera, atMs, { picture, ...more });
      return { visit, ...(await at.write(visit)) };
    },
  };
}

/** `distance` away from the appearance's own picture, towards the picture of another. */
export function unlike(look: number, distance: number, quality = 0.9): VisitPicture {
  const [own, other] = [aVector(look), aVector(look + 40)];
  const apart = Math.hypot(...own.map((x, i) => other[i]! - x));
  const template = own.map((x, i) => x + ((other[i]! - x) * distance) / apart);
  return { ...aPicture(look, quality), template };
}
