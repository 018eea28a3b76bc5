/** Which stream of a camera is recorded at a quality, by what it sends now. Pure. */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import { qualityHeights, type RecordingQuality } from '@nazar/contract/recording-qualities.ts';
import { nearestStream } from '#media/protocol/recorded-stream.ts';

/** Null while that stream sends nothing. A sub-stream is recorded without sound. */
export function recordedOf(
  health: CameraHealth,
  quality: RecordingQuality,
): RecordingSettings['recorded'] {
  const sub = health.sub?.state === 'live' ? health.sub.height : null;
  const stream = nearestStream({ main: health.height, sub }, qualityHeights[quality]);
  const { width, height, sound } = (stream === 'sub' ? health.sub : null) ?? health;
  if (width === null || height === null) return null;
  return { stream, width, height, sound: stream === 'main' && sound !== null };
}
