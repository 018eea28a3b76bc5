/**
 * Where the privacy masks of a camera are on what was recorded of it. They are drawn on the main picture; a file of a
 * sub-stream shows what the alignment of that time says. Without an alignment, callers who may not see behind the masks
 * do not get the file. Where the camera was turned since, they are hidden wherever they may have been. Pure.
 */
import { turnsAt, type CameraMasks } from '#cameras/cameras.ts';
import type { Rect } from '#lib/geometry.ts';
import { Problem } from '#lib/problem.ts';
import { ofMain } from '#media/protocol/stream-pair.ts';
import { samePicture } from '#media/mask/stream-part.ts';
import type { Masks, RecordedPlaces } from '#media/protocol/worker-messages.ts';

/** What a file may show of the main picture: each of these. Null: that is not known. */
export function shownParts(
  { alignments, hadSubStream }: Pick<CameraMasks, 'alignments' | 'hadSubStream'>,
  shows: string | null,
): readonly Rect[] | null {
  const isOld = shows === null;
  if (shows === ofMain || (isOld && !hadSubStream)) return [samePicture];
  // Two alignments of one pair: the camera was set up otherwise meanwhile. Both places are hidden.
  const ofPair = alignments.filter(({ pair }) => isOld || pair === shows);
  const known = ofPair.flatMap(({ part }) => part ?? []);
  // What was known last was forgotten because it was wrong.
  if (known.length === 0 || isForgotten(ofPair)) return null;
  // A file from before says not even which stream it is of: the place is hidden in every one.
  return isOld ? [samePicture, ...known] : known;
}

/** Whether what was known of one of the pairs was forgotten, and nothing is known since. */
export function isForgotten(history: CameraMasks['alignments']): boolean {
  const last = new Map(history.map(({ pair, part }) => [pair, part]));
  return [...last.values()].includes(null);
}

/** What these places need to know of a recorded file, or of a still in it. */
export interface Recorded {
  readonly shows: string | null;
  /** When the file begins. */
  readonly started_at: Date;
}

/** Where the masks may be on what was recorded. Null: that is not known. */
export function recordedPlaces(masks: CameraMasks, recorded: Recorded): RecordedPlaces | null {
  if (masks.polygons.length === 0) return { parts: [samePicture], turns: [0] };
  const parts = shownParts(masks, recorded.shows);
  return parts && { parts, turns: turnsAt(masks.turned, recorded.started_at) };
}

/** Throws camera_not_aligned. */
export function placedMasks(masks: CameraMasks, recorded: Recorded): Masks {
  const { polygons, rotation } = masks;
  const places = recordedPlaces(masks, recorded);
  if (!places) throw new Problem('camera_not_aligned');
  return { polygons, rotation, ...places };
}

/** Nothing is painted over. */
export const noMasks: Masks = { polygons: [], rotation: 0, parts: [samePicture], turns: [0] };
