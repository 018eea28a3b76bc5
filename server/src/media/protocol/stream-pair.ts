/**
 * The two streams of a camera as they come now: their addresses and the sizes of their pictures. What is known of how
 * their pictures lie to each other is known of one pair; another address or another size is another pair. Pure.
 */
import type { Rect, Size } from '#lib/geometry.ts';

/** What a recorded file shows: the main picture, or a sub-stream of a pair that was not known when it was recorded. */
export const ofMain = 'main';
export const ofUnknownPair = 'sub';

/** `streamsId` is another one whenever an address of the camera changes. */
export const pairKey = (streamsId: string, main: Size, sub: Size): string =>
  `${streamsId}/${main.width}x${main.height}/${sub.width}x${sub.height}`;

/** The sizes of both, as the camera sends them. */
export function sizesOf(pair: string): { readonly main: Size; readonly sub: Size } | null {
  const [, ...sizes] = pair.split('/');
  const [main, sub] = sizes.map((size) => {
    const [width, height] = size.split('x').map(Number);
    return width && height ? { width, height } : null;
  });
  return main && sub ? { main, sub } : null;
}

/** Which part of the main picture the sub-stream of a pair shows (`mask/stream-part.ts`). */
export interface Alignment {
  readonly pair: string;
  readonly part: Rect;
  /** A user said so: it is not measured. */
  readonly isConfirmed: boolean;
}
