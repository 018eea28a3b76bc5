/** Which second of the media timeline the picture on the screen is of. */

/** Ticks of RTP's clock for video in a second, and after how many it begins anew. */
const TICKS_PER_S = 90_000;
const WRAP_S = 2 ** 32 / TICKS_PER_S;

export interface ShownPicture {
  /** `currentTime` of this picture; of WebRTC's it counts from when the view began. */
  readonly mediaTime: number;
  /** Only WebRTC's pictures have one, where the browser reports it. */
  readonly rtpTimestamp?: number;
}

/**
 * WebRTC's pictures carry the media time in 32 bits, which last 13 hours: the one nearest to `newest`, the media
 * time of the newest faces, is meant. Without that all there is to go by is that both are new.
 */
export function pictureTime(
  { mediaTime, rtpTimestamp }: ShownPicture,
  isWebRtc: boolean,
  newest: number | null,
): number {
  if (!isWebRtc) return mediaTime;
  if (newest === null) return 0;
  if (rtpTimestamp === undefined) return newest;
  const at = rtpTimestamp / TICKS_PER_S;
  return at + Math.round((newest - at) / WRAP_S) * WRAP_S;
}
