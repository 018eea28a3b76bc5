/** Sizes of pictures. Pure. */
import type { Size } from '#lib/geometry.ts';

/** The largest even size within those bounds, never larger than the picture. */
export function fit({ width, height }: Size, toWidth: number, toHeight: number): Size {
  const scale = Math.min(1, toWidth / width, toHeight / height);
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
