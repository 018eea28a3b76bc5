/** Zoom by keys and buttons, the same for live and recorded pictures. */
import { panned, whole, zoomedAt } from './zoom.ts';
import type { PictureZoom } from './use-zoom.ts';

/** A key zooms so much, and moves so far, in parts of the frame. */
const keyZoom = 1.5;
const keyPan = 0.1;
/** Where zooming by keys leads. */
const centre = { x: 0.5, y: 0.5 };

export function zoomCommands(setZoom: PictureZoom['setZoom']) {
  const pan = (x: number, y: number): void => setZoom((now) => panned(now, { x, y }));
  return {
    zoomIn: () => setZoom((now) => zoomedAt(now, keyZoom, centre)),
    zoomOut: () => setZoom((now) => zoomedAt(now, 1 / keyZoom, centre)),
    zoomWhole: () => setZoom(() => whole),
    panLeft: () => pan(keyPan, 0),
    panRight: () => pan(-keyPan, 0),
    panUp: () => pan(0, keyPan),
    panDown: () => pan(0, -keyPan),
  };
}
