import type { FaceBox } from '@nazar/contract/live.ts';
import { useEffect, useRef } from 'react';
import { useSignal } from '#lib/signal.ts';
import { BoxDrawer } from './box-drawer.ts';
import { faceLabel } from './face-words.ts';
import { jpegSurface, videoSurface } from './live/box-surface.ts';
import type { LivePlayer } from './live-player.ts';
import { pictureRect, type Rect, type Size } from './picture-rect.ts';
import { whole, type Zoom } from './recorded/zoom.ts';

export interface FaceBoxesProps {
  player: LivePlayer;
  /** The boxes may be hidden while the reader still wants to know who is in view. */
  drawn: boolean;
  /** What part of the picture is seen. */
  zoom?: Zoom | undefined;
  onFaces?: ((faces: readonly FaceBox[]) => void) | undefined;
}

/** Lines and names keep their size however large the picture is drawn. */
const zoomedRect = ({ x, y, width, height }: Rect, zoom: Zoom, frame: Size): Rect => ({
  x: zoom.x * frame.width + x * zoom.scale,
  y: zoom.y * frame.height + y * zoom.scale,
  width: width * zoom.scale,
  height: height * zoom.scale,
});

/** Lies over the whole element of the picture; invisible to screen readers, which get a list of people. */
export function FaceBoxes({ player, drawn, zoom = whole, onFaces }: FaceBoxesProps) {
  const layer = useRef<HTMLDivElement>(null);
  const transport = useSignal(player.transport);
  useEffect(() => {
    if (layer.current === null) return undefined;
    const { faces, surfaces } = player;
    const { video, canvas } = surfaces;
    const surface =
      transport === 'jpeg' && canvas !== null
        ? jpegSurface(canvas, player.jpegs, faces)
        : videoSurface(video, faces);
    const drawer = new BoxDrawer(layer.current, faceLabel);
    const stop = surface.each((atS) => {
      const shown = faces.facesAt(atS);
      onFaces?.(shown);
      if (!drawn) return;
      const { clientWidth: width, clientHeight: height } = surface.element;
      const frame = { width, height };
      drawer.draw(shown, zoomedRect(pictureRect(frame, surface.size()), zoom, frame));
    });
    return () => {
      stop();
      drawer.clear();
    };
  }, [player, transport, drawn, zoom, onFaces]);
  return (
    <div
      ref={layer}
      aria-hidden
      data-testid="face-boxes"
      className="@container pointer-events-none absolute inset-0 overflow-hidden"
    />
  );
}
