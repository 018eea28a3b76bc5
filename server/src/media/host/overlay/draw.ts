/** Draws boxes and labels into the pixels of a picture. Pure. */
import type { Pixels } from '../../codec/rotate.ts';
import type { DrawnBox } from '../../protocol/messages.ts';
import type { Label } from './labels.ts';

type Colour = readonly [number, number, number];

/** The colours of the live view: red boxes; names on red, other labels on black. */
const red: Colour = [239, 68, 68];
const namedBackground: Colour = [220, 38, 38];
const otherBackground: Colour = [16, 20, 28];

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A font size that can be read on a picture of that width; both in pixels. */
export const fontSizeFor = (width: number): number => Math.max(12, Math.round(width / 52));

/** `picture`: RGB, 3 bytes a pixel. */
export function drawBox(picture: Pixels, box: DrawnBox, label: Label): void {
  const area = {
    x: Math.round(box.x * picture.width),
    y: Math.round(box.y * picture.height),
    width: Math.round(box.width * picture.width),
    height: Math.round(box.height * picture.height),
  };
  const line = Math.max(2, Math.round(picture.width / 420));
  const { x, y, width, height } = area;
  fill(picture, { x, y, width, height: line }, red);
  fill(picture, { x, y: y + height - line, width, height: line }, red);
  fill(picture, { x, y, width: line, height }, red);
  fill(picture, { x: x + width - line, y, width: line, height }, red);
  write(
    picture,
    label,
    placeOf(picture, area, label),
    box.named ? namedBackground : otherBackground,
  );
}

/** Above the box, or inside it where there is no room; never outside the picture. */
function placeOf(picture: Pixels, { x, y }: Area, label: Label): { x: number; y: number } {
  const above = y - label.height - 2;
  return {
    x: Math.max(0, Math.min(x, picture.width - label.width)),
    y: above >= 0 ? above : Math.max(0, Math.min(y, picture.height - label.height)),
  };
}

function fill({ width, height, data }: Pixels, area: Area, [r, g, b]: Colour): void {
  const [fromX, toX] = [Math.max(0, area.x), Math.min(width, area.x + area.width)];
  const [fromY, toY] = [Math.max(0, area.y), Math.min(height, area.y + area.height)];
  for (let y = fromY; y < toY; y++) {
    for (let x = fromX, at = (y * width + fromX) * 3; x < toX; x++) {
      data[at++] = r;
      data[at++] = g;
      data[at++] = b;
    }
  }
}

/** Draws white letters on the background colour. */
function write(
  { width, height, data }: Pixels,
  label: Label,
  place: { readonly x: number; readonly y: number },
  background: Colour,
): void {
  const [columns, rows] = [
    Math.min(label.width, width - place.x),
    Math.min(label.height, height - place.y),
  ];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const cover = label.cover[y * label.width + x] ?? 0;
      const at = ((place.y + y) * width + place.x + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const under = background[channel] ?? 0;
        data[at + channel] = under + ((255 - under) * cover) / 255;
      }
    }
  }
}
