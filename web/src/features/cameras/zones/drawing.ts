/** Zones while they are drawn: what may be done with them, as pure functions. Corners stay inside the picture. */
import {
  isZone,
  maxPoints,
  maxZones,
  minPoints,
  type Zone,
  type ZoneFields,
  type ZoneKind,
} from '@nazar/contract/zones.ts';

export type Corner = readonly [x: number, y: number];

export interface Drawn {
  /** The key is known to this drawing only; the server keeps none. */
  readonly key: string;
  readonly kind: ZoneKind;
  readonly name: string;
  readonly points: readonly Corner[];
}

let drawn = 0;
const newKey = (): string => `zone-${(drawn += 1)}`;

export const drawnOf = (zones: readonly Zone[]): Drawn[] =>
  zones.map(({ kind, name, points }) => ({ key: newKey(), kind, name, points }));

export const asFields = (zones: readonly Drawn[]): ZoneFields[] =>
  zones.map(({ kind, name, points }) => ({ kind, name, points: points.map(([x, y]) => [x, y]) }));

/** A new zone lies in the middle: its corners are moved from there. */
const middle: readonly Corner[] = [
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

/** A thousandth of the picture is finer than anybody points. */
const inside = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

export function moveCorner({ points, ...zone }: Drawn, index: number, [x, y]: Corner): Drawn {
  const to: Corner = [inside(x), inside(y)];
  return { ...zone, points: points.map((corner, at) => (at === index ? to : corner)) };
}

/** Halfway to the next corner. */
export function addCorner({ points, ...zone }: Drawn, index: number): Drawn {
  if (points.length >= maxPoints) return { ...zone, points };
  const [x, y] = points[index]!;
  const [nextX, nextY] = points[(index + 1) % points.length]!;
  const between: Corner = [inside((x + nextX) / 2), inside((y + nextY) / 2)];
  return { ...zone, points: points.toSpliced(index + 1, 0, between) };
}

export function removeCorner({ points, ...zone }: Drawn, index: number): Drawn {
  if (points.length <= minPoints) return { ...zone, points };
  return { ...zone, points: points.toSpliced(index, 1) };
}

/** Those that cannot be kept: edges that cross, or hardly any area. */
export const broken = (zones: readonly Drawn[]): Drawn[] =>
  zones.filter(({ points }) => !isZone(points));
