/** What part of the picture is seen: enlarged up to eight times, and never beside the picture. Pure. */

/** The picture is drawn `scale` times as large and moved by `x` and `y`, in parts of the frame, 0 or less. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Parts of the frame: 0 is left or top, 1 right or bottom. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export const maxScale = 8;
export const whole: Zoom = { scale: 1, x: 0, y: 0 };

const within = (value: number, least: number, most: number): number =>
  Math.min(Math.max(value, least), most);

function inside({ scale, x, y }: Zoom): Zoom {
  return { scale, x: within(x, 1 - scale, 0), y: within(y, 1 - scale, 0) };
}

/** What lies under the point stays there. */
export function zoomedAt(zoom: Zoom, factor: number, { x, y }: Point): Zoom {
  const scale = within(zoom.scale * factor, 1, maxScale);
  const grown = scale / zoom.scale;
  return inside({ scale, x: x - (x - zoom.x) * grown, y: y - (y - zoom.y) * grown });
}

export const panned = (zoom: Zoom, by: Point): Zoom =>
  inside({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y });
