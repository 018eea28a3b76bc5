/** A camera's picture on the Cameras page: the live one, or the one with the boxes while detection runs by hand. */
import { useEffect } from 'react';
import { LiveView, type LiveViewProps } from '#parts/player/live-view.tsx';
import type { PlaceKind } from './detection.ts';
import { useDetection } from './detection-scope.tsx';
import { DrawnPicture } from './drawn-picture.tsx';
import { useBoxesShown, useOwnDetection } from './use-detecting.ts';

export interface CameraPictureProps extends LiveViewProps {
  place: PlaceKind;
}

export function CameraPicture({ place, boxes = true, ...live }: CameraPictureProps) {
  const { camera, paused, zoom, className } = live;
  const detection = useDetection();
  const { id } = camera;
  useEffect(() => detection.takePlace({ id }, place), [detection, id, place]);
  const own = useOwnDetection(id);
  const shown = useBoxesShown(camera);
  if (own !== null && paused !== true) {
    return <DrawnPicture camera={camera} running={own} zoom={zoom} className={className} />;
  }
  return <LiveView {...live} boxes={boxes && (shown || !camera.enable_face_recognition)} />;
}
