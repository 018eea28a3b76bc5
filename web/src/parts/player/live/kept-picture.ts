/** The last picture of a live view, copied before the element that shows it is emptied. */
import type { LiveSurfaces } from './live-connection.ts';

/** Returns whether there is a copy. */
export function keepPicture({ video, canvas, kept }: LiveSurfaces, isJpeg: boolean): boolean {
  const from = isJpeg ? canvas : video;
  const context = kept?.getContext('2d') ?? null;
  if (from === null || context === null || !kept) return false;
  const isVideo = from instanceof HTMLVideoElement;
  const [width, height] = isVideo ? [from.videoWidth, from.videoHeight] : [from.width, from.height];
  if (width === 0 || height === 0) return false;
  [kept.width, kept.height] = [width, height];
  context.drawImage(from, 0, 0);
  return true;
}
