/**
 * What a change of a camera's rotation leaves open: whether the camera itself was turned, too, so that what it shows
 * stands where it stood in the frame, or the picture alone was, and turned what it shows along. Pure.
 */
import {
  turnBetween,
  turnBy,
  turnedPolygon,
  type Polygon,
  type QuarterTurn,
} from '@nazar/contract/polygon.ts';

/** How often a camera was turned, as far as its past pictures need it. */
export interface CameraTurns {
  /** By how much a place on an earlier picture may be turned from where it is on one of now. */
  readonly by: readonly QuarterTurn[];
  /** When zones were saved for the first time after the last change; null: they weren't since. */
  readonly untilMs: number | null;
}

export const neverTurned: CameraTurns = { by: [0], untilMs: null };

/** By how much a place of now may be turned on a picture from that time. */
export function turnsAt({ by, untilMs }: CameraTurns, at: Date): readonly QuarterTurn[] {
  return untilMs === null || at.getTime() < untilMs ? by : [0];
}

/** The sums of any of these turns and of any of those: each change leaves the question open anew. */
export const turnsWith = (
  these: readonly QuarterTurn[],
  those: readonly QuarterTurn[],
): QuarterTurn[] =>
  [...new Set(these.flatMap((one) => those.map((other) => turnBy(one, other))))].toSorted(
    (a, b) => a - b,
  );

/** What is open after a rotation was changed: by how much zones may turn, and places of now on pictures from before. */
export function openTurns(from: QuarterTurn, to: QuarterTurn) {
  const by = turnBetween(from, to);
  // Both ways: the camera itself may be turned before its rotation is changed, or only later.
  return { ofZones: [0, by], ofPast: [0, by, turnBetween(to, from)] } as const;
}

/** Every place where a zone may be. */
export const placesOf = ({
  points,
  turns,
}: {
  readonly points: Polygon;
  readonly turns: readonly QuarterTurn[];
}): Polygon[] => turns.map((by) => turnedPolygon(points, by));
