/**
 * What a change of a camera's rotation leaves open: the camera itself may have been turned, too, so that objects keep
 * their places in the frame, or the picture alone was turned, and the objects with it. Pure.
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
  /** By how much a place on an earlier picture may be turned relative to its place on a current one. */
  readonly by: readonly QuarterTurn[];
  /** When zones were first saved after the last change; null: they weren't since. */
  readonly untilMs: number | null;
}

export const neverTurned: CameraTurns = { by: [0], untilMs: null };

/** By how much a current place may be turned on a picture from that time. */
export function turnsAt({ by, untilMs }: CameraTurns, at: Date): readonly QuarterTurn[] {
  return untilMs === null || at.getTime() < untilMs ? by : [0];
}

/** All sums of one turn from each list: each change leaves the question open again. */
export const turnsWith = (
  these: readonly QuarterTurn[],
  those: readonly QuarterTurn[],
): QuarterTurn[] =>
  [...new Set(these.flatMap((one) => those.map((other) => turnBy(one, other))))].toSorted(
    (a, b) => a - b,
  );

/** What is open after a change of the rotation: the turns of zones, and of current places on earlier pictures. */
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
