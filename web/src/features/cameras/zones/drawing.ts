/** Zones while they are drawn: what may be done with them, as pure functions. */
import {
  isZone,
  maxZones,
  type Zone,
  type ZoneFields,
  type ZoneKind,
} from '@nazar/contract/zones.ts';
import * as corners from '#parts/drawing/corners.ts';
import type { Corner, Corners } from '#parts/drawing/corners.ts';

export interface Drawn {
  /** The key is known to this drawing only; the server keeps none. */
  readonly key: string;
  readonly kind: ZoneKind;
  readonly name: string;
  readonly points: Corners;
}

let drawn = 0;
const newKey = (): string => `zone-${(drawn += 1)}`;

export const drawnOf = (zones: readonly Zone[]): Drawn[] =>
  zones.map(({ kind, name, points }) => ({ key: newKey(), kind, name, points }));

export const asFields = (zones: readonly Drawn[]): ZoneFields[] =>
  zones.map(({ kind, name, points }) => ({ kind, name, points: points.map(([x, y]) => [x, y]) }));

/** A new zone lies in the middle: its corners are moved from there. */
const middle: Corners = [
  [0.35, 0.35],
  [0.65, 0.35],
  [0.65, 0.65],
  [0.35, 0.65],
];

export const mayAdd = (zones: readonly Drawn[]): boolean => zones.length < maxZones;

export function add(zones: readonly Drawn[], kind: ZoneKind): Drawn[] {
  return [...zones, { key: newKey(), kind, name: '', points: middle }];
}

export function change(zones: readonly Drawn[], key: string, to: Partial<Drawn>): Drawn[] {
  return zones.map((zone) => (zone.key === key ? { ...zone, ...to } : zone));
}

export const remove = (zones: readonly Drawn[], key: string): Drawn[] =>
  zones.filter((zone) => zone.key !== key);

export const moveCorner = (zone: Drawn, index: number, to: Corner): Drawn => ({
  ...zone,
  points: corners.moveCorner(zone.points, index, to),
});

export const addCorner = (zone: Drawn, index: number): Drawn => ({
  ...zone,
  points: corners.addCorner(zone.points, index),
});

export const removeCorner = (zone: Drawn, index: number): Drawn => ({
  ...zone,
  points: corners.removeCorner(zone.points, index),
});

/** Zones that cannot be kept: their edges cross, or they have hardly any area. */
export const broken = (zones: readonly Drawn[]): Drawn[] =>
  zones.filter(({ points }) => !isZone(points));
