/** What boxes are drawn over: a video element, or a canvas of JPEGs. */
import type { Signal } from '#lib/signal.ts';
import { eachPicture } from '../each-picture.ts';
import type { FaceTimeline } from '../face-timeline.ts';
import type { Size } from '../picture-rect.ts';
import { pictureTime } from '../picture-time.ts';

export interface BoxSurface {
  readonly element: HTMLElement;
  /** The size of the picture itself. */
  readonly size: () => Size;
  /** Calls `react` with the media time of each picture as it is shown; returns what ends that. */
  readonly each: (react: (atS: number) => void) => () => void;
}

export const videoSurface = (video: HTMLVideoElement, faces: FaceTimeline): BoxSurface => ({
  element: video,
  size: () => ({ width: video.videoWidth, height: video.videoHeight }),
  each: (react) =>
    eachPicture(video, (shown) =>
      react(pictureTime(shown, Boolean(video.srcObject), faces.newestAt)),
    ),
});

/** A JPEG does not say of when it is: the newest faces are taken for those of the newest picture. */
export const jpegSurface = (
  canvas: HTMLCanvasElement,
  drawn: Signal<number>,
  faces: FaceTimeline,
): BoxSurface => ({
  element: canvas,
  size: () => ({ width: canvas.width, height: canvas.height }),
  each: (react) => drawn.subscribe(() => react(faces.newestAt ?? 0)),
});
