/**
 * What is drawn of the tracks of a picture: the faces that were found, and small ones that were not, where they are
 * expected by now.
 */
import type { Rect } from '#lib/geometry.ts';
import { area, intersection } from '../picture.ts';
import { eyeDistance } from '../quality.ts';
import type { TrackView } from './tracker.ts';

/** A track as it is in the newest picture. */
export interface VisibleTrack {
  readonly track: number;
  readonly box: Rect;
  /** The detector's score, 0 to 1. */
  readonly score: number;
  /** The face changed, or is expected where it may not be: its name must not be drawn. */
  readonly doubt: boolean;
}

/** `at`: milliseconds of media time; the size is in the pixels of the boxes. */
export interface PictureFrame {
  readonly at: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A face smaller than this (pixels of the picture between the eyes) is searched for in one picture of three (media:
 * `thoroughEvery`); in the two between, it is drawn where it is expected to be.
 */
const smallIod = 32;
const smallShownForMs = 700;
/**
 * A face of which another seen face covers more than this share is behind that one: in test videos three of five boxes
 * that bore the name of a hidden person were covered by 17 to 24 %.
 */
const maxCovered = 0.1;

/** Returns the tracks to draw; one with `doubt` bears no name. */
export function visibleTracks(tracks: readonly TrackView[], frame: PictureFrame): VisibleTrack[] {
  const seen = tracks.filter(({ state }) => state === 'seen');
  return tracks.flatMap((track) => {
    const { id, box, view, state } = track;
    if (state === 'lost' && !mayBeThere(track, seen, frame)) return [];
    const doubt = track.doubt || (state === 'lost' && !isSurelyThere(track, frame));
    return [{ track: id, box, score: view.score, doubt }];
  });
}

/**
 * Whether a face that was not found is drawn where it is expected by now: only a small one, which this detection may
 * have missed, inside the picture, and not in the place of another face, which would then bear its name.
 */
function mayBeThere(
  { box, view, seenAt }: TrackView,
  seen: readonly TrackView[],
  frame: PictureFrame,
): boolean {
  if (eyeDistance(view.points) >= smallIod) return false;
  if (frame.at - seenAt > smallShownForMs) return false;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (x < 0 || y < 0 || x > frame.width || y > frame.height) return false;
  return !seen.some((other) => intersection(other.box, box) > maxCovered * area(box));
}

/**
 * Whether a face that was not found may bear its name where it is expected: without a known speed it may have gone
 * elsewhere, and at the edge of the picture a person who comes in may hide it before they are found themselves.
 */
function isSurelyThere({ box, hasSpeed }: TrackView, { width, height }: PictureFrame): boolean {
  const isInside =
    box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  return hasSpeed && isInside;
}
