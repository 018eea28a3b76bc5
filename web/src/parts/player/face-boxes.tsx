import type { FaceBox } from '@nazar/contract/live.ts';
import { useEffect, useRef, type RefObject } from 'react';
import { BoxDrawer } from './box-drawer.ts';
import { eachPicture } from './each-picture.ts';
import type { FaceTimeline } from './face-timeline.ts';
import { faceLabel } from './face-words.ts';
import { pictureRect } from './picture-rect.ts';
import { pictureTime } from './picture-time.ts';

export interface FaceBoxesProps {
  video: RefObject<HTMLVideoElement | null>;
  faces: FaceTimeline;
  /** The boxes may be hidden while somebody still wants to know who is in view. */
  drawn: boolean;
  onFaces?: ((faces: readonly FaceBox[]) => void) | undefined;
}

/** Lies over the whole element of the video; invisible to screen readers, which get a list of people. */
export function FaceBoxes({ video, faces, drawn, onFaces }: FaceBoxesProps) {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (video.current === null || layer.current === null) return undefined;
    const element = video.current;
    const drawer = new BoxDrawer(layer.current, faceLabel);
    const stop = eachPicture(element, (picture) => {
      const isWebRtc = Boolean(element.srcObject);
      const shown = faces.facesAt(pictureTime(picture, isWebRtc, faces.newestAt));
      onFaces?.(shown);
      if (!drawn) return;
      const size = { width: element.clientWidth, height: element.clientHeight };
      const natural = { width: element.videoWidth, height: element.videoHeight };
      drawer.draw(shown, pictureRect(size, natural));
    });
    return () => {
      stop();
      drawer.clear();
    };
  }, [video, faces, drawn, onFaces]);
  return (
    <div
      ref={layer}
      aria-hidden
      data-testid="face-boxes"
      className="@container pointer-events-none absolute inset-0 overflow-hidden"
    />
  );
}
