/**
 * Motion masks of Frigate as motion zones: where nothing is masked out, motion counts. They hide nothing from users,
 * and no privacy mask is made from them.
 */
import type { Polygon } from '@nazar/contract/polygon.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import { listOf, memberOf, sectionOf } from './data.ts';
import { outside } from './outside.ts';
import { isOff, type CameraSettings, type Found, type Remark } from './settings.ts';

export interface TakenMasks {
  readonly zones: readonly ZoneFields[];
  readonly remarks: readonly Remark[];
}

const none: TakenMasks = { zones: [], remarks: [] };
const maxCorners = 200;

interface Size {
  readonly width: number;
  readonly height: number;
}

export function takeMotionMasks(settings: CameraSettings): TakenMasks {
  const found = settings.take('motion', 'mask');
  if (!found) return none;
  const size = sizeOf(settings);
  const polygons: Polygon[] = [];
  const remarks: Remark[] = [];
  for (const mask of masksIn(found)) {
    const read = polygonOf(mask.value, size);
    if (typeof read === 'string') remarks.push({ ...mask, reason: read });
    else polygons.push(read);
  }
  if (polygons.length === 0) return { zones: [], remarks };
  const parts = outside(polygons);
  if (parts === null)
    return { zones: [], remarks: [...remarks, { ...found, reason: 'mask_corners' }] };
  if (parts.length === 0)
    return { zones: [], remarks: [...remarks, { ...found, reason: 'mask_all' }] };
  const zones = parts.map((points): ZoneFields => ({
    kind: 'motion',
    name: '',
    points: points.map(([x, y]): [number, number] => [x, y]),
  }));
  return { zones, remarks };
}

/** A text, a list of texts, or named sections, some of which may be turned off. */
function masksIn({ path, value }: Found): Found[] {
  const named = Object.entries(sectionOf(value));
  if (named.length > 0) {
    return named
      .filter(([, mask]) => !isOff(memberOf(mask, 'enabled')))
      .map(([name, mask]) => ({ path: [...path, name], value: memberOf(mask, 'coordinates') }));
  }
  const isOne = !Array.isArray(value) || value.every((one) => typeof one === 'number');
  if (isOne) return [{ path, value: Array.isArray(value) ? value.join() : value }];
  return listOf(value).map((one, index) => ({ path: [...path, index], value: one }));
}

/** In fractions of the picture, else in pixels of the frame on which detection runs. */
function polygonOf(
  value: unknown,
  size: Size | null,
): Polygon | 'mask_unreadable' | 'mask_size' | 'mask_corners' {
  if (typeof value !== 'string') return 'mask_unreadable';
  const parts = value.trim().split(',', 2 * maxCorners + 1);
  if (parts.length > 2 * maxCorners) return 'mask_corners';
  const isRead = parts.every((part) => /^\s*\d{1,6}(?:\.\d{0,20})?\s*$/.test(part));
  if (!isRead || parts.length < 6 || parts.length % 2 === 1) return 'mask_unreadable';
  const numbers = parts.map(Number);
  const isInPixels = numbers.some((number) => number > 1);
  if (isInPixels && !size) return 'mask_size';
  const { width, height } = isInPixels && size ? size : { width: 1, height: 1 };
  return numbers.flatMap((x, at) =>
    at % 2 === 0 ? [[x / width, numbers[at + 1]! / height] as const] : [],
  );
}

function sizeOf(settings: CameraSettings): Size | null {
  const [width, height] = ['width', 'height'].map((side) =>
    Number(settings.find('detect', side)?.value),
  );
  return width! > 0 && height! > 0 ? { width: width!, height: height! } : null;
}
