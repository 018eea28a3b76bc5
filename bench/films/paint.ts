/**
 * Draws a scene: heads cut out of photos on plain bodies, before a room. It draws in planes of YUV 4:2:0, because
 * half the samples of RGB are half the work, and an hour of film is 36,000 pictures.
 */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import type { Planes } from '../../server/src/commands/demo-film/pan.ts';
import type { Picture } from '../../server/src/vision/picture.ts';
import { seeded } from '../faces/chance.ts';
import {
  figure,
  headAt,
  placeAt,
  shape,
  type Appearance,
  type Place,
  type Scene,
} from './scene.ts';
import type { Size, Rect } from '../../server/src/lib/geometry.ts';

/** A photo with the face that is filmed. */
export interface Portrait {
  readonly picture: Picture;
  readonly box: Rect;
}

/** A head at one size: luma, and both chromas at half of it, each with how much of a sample is head (0 to 255). */
interface Sprite {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly { readonly data: Uint8Array; readonly cover: Uint8Array }[];
}

const even = (value: number): number => 2 * Math.round(value / 2);
/** People grow in steps of four pixels: each size of a head is made once. */
const stepped = (size: number): number => 4 * Math.round(size / 4);
const pixels = shape.width * shape.height;

export class Painter {
  readonly #scene: Scene;
  readonly #room: Planes;
  readonly #sprites: ReadonlyMap<string, Sprite>;
  readonly #noise = grain();

  private constructor(scene: Scene, sprites: ReadonlyMap<string, Sprite>) {
    this.#scene = scene;
    this.#room = room();
    this.#sprites = sprites;
  }

  static async prepare(scene: Scene, portraits: ReadonlyMap<string, Portrait>): Promise<Painter> {
    const sprites = new Map<string, Sprite>();
    for (const appearance of scene.appearances) {
      const portrait = portraits.get(appearance.photo);
      if (!portrait) throw new Error(`nobody photographed ${appearance.photo}`);
      const own = await head(portrait);
      for (const at of times(scene)) {
        const place = placeAt(appearance, at);
        const key = place && keyOf(appearance, place);
        if (!key || sprites.has(key)) continue;
        sprites.set(key, await sprite(own, appearance, stepped(place.size)));
      }
    }
    return new Painter(scene, sprites);
  }

  *pictures(): Generator<Buffer> {
    for (const [index, at] of times(this.#scene).entries()) yield this.#picture(at, index);
  }

  #picture(at: number, index: number): Buffer {
    const picture = Buffer.from(this.#room.data);
    const { appearances } = this.#scene;
    for (const appearance of appearances.toSorted((a, b) => a.depth - b.depth)) {
      const place = placeAt(appearance, at);
      if (!place) continue;
      drawBody(picture, place, clothes(appearance.who));
      drawHead(picture, place, this.#sprites.get(keyOf(appearance, place))!);
    }
    const from = (index * 7_919) % pixels;
    for (let i = 0; i < pixels; i++) picture[i]! += this.#noise[from + i]!;
    return picture;
  }
}

const times = ({ seconds }: Scene): number[] =>
  Array.from({ length: Math.round(seconds * shape.fps) }, (_, i) => i / shape.fps);

const keyOf = ({ who, photo, light = 1, blur = 0 }: Appearance, { size }: Place): string =>
  `${who} ${photo} ${light} ${blur} ${stepped(size)}`;

async function sprite(
  { data, width, height }: Head,
  { light = 1, blur = 0 }: Appearance,
  size: number,
): Promise<Sprite> {
  const wide = even(figure.headWidth * size);
  const high = even(figure.headHeight * size);
  const scaled = sharp(data, { raw: { width, height, channels: 4 } })
    .resize(wide, high, { fit: 'fill' })
    .linear([light, light, light, 1], [0, 0, 0, 0]);
  const seen = blur > 0 ? scaled.blur(blur) : scaled;
  return inPlanes(await seen.raw().toBuffer(), wide, high, size);
}

/** RGBA; transparent where the head reaches beyond its photo. */
interface Head {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The largest width at which a person is filmed. */
const maxHeadWidth = 400;

/** Cut out once for all sizes: reading it out of a large photo takes longer than all that follows. */
async function head({ picture, box }: Portrait): Promise<Head> {
  const { width, height, rgb } = picture;
  const side = Math.max(box.width, box.height);
  const left = Math.floor(box.x + (box.width - figure.headWidth * side) / 2);
  const top = Math.floor(box.y + (box.height - figure.headHeight * side) / 2);
  const right = left + Math.ceil(figure.headWidth * side);
  const bottom = top + Math.ceil(figure.headHeight * side);
  const inside = { left: Math.max(0, left), top: Math.max(0, top) };
  const whole = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({
      ...inside,
      width: Math.min(width, right) - inside.left,
      height: Math.min(height, bottom) - inside.top,
    })
    .ensureAlpha()
    .extend({
      left: inside.left - left,
      top: inside.top - top,
      right: Math.max(0, right - width),
      bottom: Math.max(0, bottom - height),
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = await sharp(whole.data, { raw: { ...sizeOf(whole.info), channels: 4 } })
    .resize({ width: maxHeadWidth, withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, ...sizeOf(info) };
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height });

function inPlanes(rgba: Buffer, width: number, height: number, size: number): Sprite {
  const planes = [1, 2, 2].map((step) => {
    const samples = (width / step) * (height / step);
    return { data: new Uint8Array(samples), cover: new Uint8Array(samples) };
  });
  for (const [kind, { data, cover }] of planes.entries()) {
    const step = kind === 0 ? 1 : 2;
    for (let y = 0, i = 0; y < height; y += step) {
      for (let x = 0; x < width; x += step, i++) {
        const at = (y * width + x) * 4;
        data[i] = sample(kind, rgba[at]!, rgba[at + 1]!, rgba[at + 2]!);
        const head = headAt((x - width / 2) / size, (y - height / 2) / size);
        cover[i] = Math.round(head * rgba[at + 3]!);
      }
    }
  }
  return { width, height, planes };
}

/** Y, U or V as cameras send them (ITU-R BT.601, 16 to 235). */
function sample(kind: number, red: number, green: number, blue: number): number {
  if (kind === 0) return 16 + 0.257 * red + 0.504 * green + 0.098 * blue;
  if (kind === 1) return 128 - 0.148 * red - 0.291 * green + 0.439 * blue;
  return 128 + 0.439 * red - 0.368 * green - 0.071 * blue;
}

function drawHead(picture: Buffer, { x, y }: Place, { width, height, planes }: Sprite): void {
  let offset = 0;
  for (const [kind, { data, cover }] of planes.entries()) {
    const step = kind === 0 ? 1 : 2;
    const columns = shape.width / step;
    const rows = shape.height / step;
    const left = even(x - width / 2) / step;
    const top = even(y - height / 2) / step;
    for (let row = 0, i = 0; row < height / step; row++) {
      for (let column = 0; column < width / step; column++, i++) {
        const [px, py] = [left + column, top + row];
        if (px < 0 || py < 0 || px >= columns || py >= rows) continue;
        const at = offset + py * columns + px;
        picture[at]! += ((data[i]! - picture[at]!) * cover[i]!) / 255;
      }
    }
    offset += columns * rows;
  }
}

function drawBody(picture: Buffer, { x, y, size }: Place, colour: readonly number[]): void {
  let offset = 0;
  for (const [kind, value] of colour.entries()) {
    const step = kind === 0 ? 1 : 2;
    const columns = shape.width / step;
    const rows = shape.height / step;
    const left = Math.max(0, Math.round((x - (figure.bodyWidth * size) / 2) / step));
    const right = Math.min(columns, Math.round((x + (figure.bodyWidth * size) / 2) / step));
    const top = Math.max(0, Math.round((y + figure.shoulders * size) / step));
    for (let row = top; row < rows && right > left; row++) {
      const start = offset + row * columns;
      picture.fill(value, start + left, start + right);
    }
    offset += columns * rows;
  }
}

/** Each person wears one colour, chosen by their name. */
function clothes(who: string): number[] {
  const sum = crc32(who);
  return [60 + (sum % 110), 100 + ((sum >>> 8) % 56), 100 + ((sum >>> 16) % 56)];
}

/** A wall with a window, two round plates and a lamp: things that are round, still and no person. */
function room(): Planes {
  const data = Buffer.alloc((pixels * 3) / 2, 128);
  const random = seeded(11);
  for (let y = 0; y < shape.height; y++) {
    const wall = y < 520 ? 150 - y / 12 : 96;
    for (let x = 0; x < shape.width; x++) data[y * shape.width + x] = wall + 6 * random() - x / 60;
  }
  const disc = (cx: number, cy: number, radius: number, grey: number): void => {
    for (let y = cy - radius; y <= cy + radius; y++) {
      const half = Math.round(Math.sqrt(radius ** 2 - (y - cy) ** 2));
      data.fill(grey, y * shape.width + cx - half, y * shape.width + cx + half);
    }
  };
  for (let y = 60; y < 260; y++) data.fill(200, y * shape.width + 980, y * shape.width + 1180);
  for (const [cx, cy] of [
    [220, 150],
    [420, 150],
  ] as const) {
    disc(cx, cy, 60, 190);
    disc(cx - 20, cy - 12, 8, 60);
    disc(cx + 20, cy - 12, 8, 60);
    disc(cx, cy + 26, 10, 80);
  }
  disc(700, 90, 40, 220);
  return { width: shape.width, height: shape.height, data };
}

/** Noise of a sensor, one level: twice as long as a picture, so that each begins elsewhere. More only makes encoding slow. */
function grain(): Int8Array {
  const random = seeded(5);
  return Int8Array.from({ length: 2 * pixels }, () => Math.round((random() + random() - 1) * 2));
}
