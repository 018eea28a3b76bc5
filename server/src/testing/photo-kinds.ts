/** One photo in the kinds of file that people send: phones, scanners, editors, messengers, and what is no photo. */
import sharp, { type Sharp } from 'sharp';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import { heifOf, type HeifOptions } from './heif.ts';
import { key265 } from './key265.ts';

/** `same`: the pixels of the plain JPEG; `grey`: their brightness alone; `read`: no more than its size. */
export type Expected = 'same' | 'grey' | 'read' | ProblemCode;

export interface PhotoKind {
  readonly name: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
}

/** `source`: a picture of 640 x 480. The first kind is the plain JPEG that the others are compared with. */
export async function photoKinds(source: Buffer): Promise<PhotoKind[]> {
  const image = sharp(source).removeAlpha().toColourspace('srgb');
  const jpeg = await image.clone().jpeg({ quality: 92 }).toBuffer();
  return [
    { name: 'plain JPEG', bytes: jpeg, expected: 'same' },
    ...(await jpegs(image, jpeg)),
    ...(await orientations(image)),
    ...(await pngs(image)),
    ...(await webps(image)),
    ...(await avifs(image)),
    ...(await heics(image)),
    ...(await refused(image, jpeg)),
  ];
}

const kind = (name: string, bytes: Buffer, expected: Expected = 'same'): PhotoKind => ({
  name,
  bytes,
  expected,
});
/** Makes each of the files of a table. */
const made = (table: readonly [string, Sharp, Expected?][]): Promise<PhotoKind[]> =>
  Promise.all(
    table.map(async ([name, image, expected]) => kind(name, await image.toBuffer(), expected)),
  );

async function jpegs(image: Sharp, jpeg: Buffer): Promise<PhotoKind[]> {
  const small = await image.clone().resize(160, 120).jpeg().toBuffer();
  const mp4 = Buffer.concat([
    Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
    Buffer.alloc(4096, 7),
  ]);
  const xmp = Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta hdrgm:Version="1.0"/>');
  const mpf = Buffer.concat([Buffer.from('MPF\0MM\0*\0\0\0\x08', 'latin1'), Buffer.alloc(32)]);
  return [
    ...(await made([
      ['progressive JPEG', image.clone().jpeg({ quality: 92, progressive: true })],
      [
        'JPEG with all its colours',
        image.clone().jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
      ],
      ['JPEG of low quality', image.clone().jpeg({ quality: 40 })],
      ['JPEG of an optimizing encoder', image.clone().jpeg({ quality: 85, mozjpeg: true })],
      ['grey JPEG', image.clone().greyscale().jpeg({ quality: 92 }), 'grey'],
      ['CMYK JPEG', image.clone().toColourspace('cmyk').jpeg({ quality: 95 })],
      ['JPEG in Display P3', image.clone().withIccProfile('p3').jpeg({ quality: 92 })],
      [
        'JPEG with Exif',
        image
          .clone()
          .withExif({ IFD0: { Artist: 'A' } })
          .jpeg({ quality: 92 }),
      ],
    ])),
    kind('JPEG with a comment', withSegment(jpeg, 0xfe, Buffer.from('made by a camera'))),
    kind('JPEG of two cameras (MPO)', Buffer.concat([withSegment(jpeg, 0xe2, mpf), small])),
    kind('motion photo', Buffer.concat([jpeg, mp4])),
    kind('JPEG with an HDR gain map', Buffer.concat([withSegment(jpeg, 0xe1, xmp), small])),
    kind('JPEG with zeros behind it', Buffer.concat([jpeg, Buffer.alloc(512)])),
    kind('JPEG without its last two bytes', jpeg.subarray(0, -2)),
    kind('JPEG without its last byte', jpeg.subarray(0, -1)),
    kind('JPEG without its last 40 bytes', jpeg.subarray(0, -40), 'image_unreadable'),
    kind('half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'image_unreadable'),
    kind('half a JPEG with an end', concat(jpeg.subarray(0, jpeg.length / 2), '\xff\xd9'), 'read'),
  ];
}

/** A segment behind the start of a JPEG. */
function withSegment(jpeg: Buffer, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

const concat = (start: Buffer, end: string): Buffer =>
  Buffer.concat([start, Buffer.from(end, 'latin1')]);

/** Exif 1 to 8: stored so that what Exif says puts it upright. */
async function orientations(image: Sharp): Promise<PhotoKind[]> {
  const upright = await image.clone().png().toBuffer();
  const flopped = await image.clone().flop().png().toBuffer();
  const stored: Sharp[] = [
    sharp(upright),
    sharp(flopped),
    sharp(upright).rotate(180),
    sharp(upright).flip(),
    sharp(flopped).rotate(270),
    sharp(upright).rotate(270),
    sharp(flopped).rotate(90),
    sharp(upright).rotate(90),
  ];
  return made(
    stored.map((one, i) => [
      `JPEG with Exif orientation ${i + 1}`,
      one.withMetadata({ orientation: i + 1 }).jpeg({ quality: 92 }),
    ]),
  );
}

async function pngs(image: Sharp): Promise<PhotoKind[]> {
  const two = await image.clone().greyscale().threshold(128).png().toBuffer();
  const png = await image.clone().png().toBuffer();
  return [
    ...(await made([
      ['PNG', image.clone().png()],
      ['interlaced PNG', image.clone().png({ progressive: true })],
      ['PNG with 256 colours', image.clone().png({ palette: true, colours: 256 })],
      ['PNG with 16 colours', image.clone().png({ palette: true, colours: 16 }), 'read'],
      ['PNG of 2 colours', sharp(two).png({ palette: true, colours: 2 }), 'read'],
      ['PNG of 16 bits', image.clone().toColourspace('rgb16').png()],
      ['grey PNG', image.clone().greyscale().png(), 'grey'],
      ['grey PNG of 16 bits', image.clone().toColourspace('grey16').png(), 'grey'],
      ['PNG with transparency', image.clone().ensureAlpha(1).png()],
      ['grey PNG with transparency', image.clone().greyscale().ensureAlpha(1).png(), 'grey'],
      ['half transparent PNG', image.clone().ensureAlpha(0.5).png(), 'read'],
      ['PNG in Display P3', image.clone().withIccProfile('p3').png()],
      [
        'PNG with Exif',
        image
          .clone()
          .withExif({ IFD0: { Artist: 'A' } })
          .png(),
      ],
    ])),
    kind('half a PNG', png.subarray(0, png.length / 2), 'image_unreadable'),
    kind('PNG with bytes behind it', concat(png, 'behind')),
  ];
}

async function webps(image: Sharp): Promise<PhotoKind[]> {
  const frames = await image.clone().resize(64, 48).raw().toBuffer();
  const twice = sharp(Buffer.concat([frames, Buffer.alloc(frames.length, 9)]), {
    raw: { width: 64, height: 96, channels: 3, pageHeight: 48 },
  });
  const webp = await image.clone().webp({ quality: 92 }).toBuffer();
  return [
    ...(await made([
      ['WebP', image.clone().webp({ quality: 92 })],
      ['lossless WebP', image.clone().webp({ lossless: true })],
      ['WebP with transparency', image.clone().ensureAlpha(1).webp({ quality: 92 })],
      ['WebP in Display P3', image.clone().withIccProfile('p3').webp({ quality: 92 })],
      ['animated WebP', twice.clone().webp({ delay: [100, 100] }), 'image_type'],
      ['animated GIF', twice.clone().gif({ delay: [100, 100] }), 'image_type'],
    ])),
    kind('half a WebP', webp.subarray(0, webp.length / 2), 'image_unreadable'),
  ];
}

async function avifs(image: Sharp): Promise<PhotoKind[]> {
  const fast = { effort: 0 } as const;
  const avif = await image
    .clone()
    .avif({ quality: 80, ...fast })
    .toBuffer();
  return [
    kind('AVIF', avif),
    ...(await made([
      ['AVIF with all its colours', image.clone().avif({ chromaSubsampling: '4:4:4', ...fast })],
      [
        'AVIF with transparency',
        image
          .clone()
          .ensureAlpha(1)
          .avif({ quality: 80, ...fast }),
      ],
      [
        'AVIF in Display P3',
        image
          .clone()
          .withIccProfile('p3')
          .avif({ quality: 80, ...fast }),
      ],
      [
        'grey AVIF',
        image
          .clone()
          .greyscale()
          .avif({ quality: 80, ...fast }),
        'grey',
      ],
    ])),
    kind('half an AVIF', avif.subarray(0, avif.length / 2), 'image_unreadable'),
  ];
}

async function heics(image: Sharp): Promise<PhotoKind[]> {
  const tile = await key265(image);
  const p3 = image.clone().withIccProfile('p3');
  const { icc } = await sharp(await p3.clone().png().toBuffer()).metadata();
  // Pixels in P3 without their profile, which the file has apart.
  const inP3 = sharp(await p3.raw().toBuffer(), { raw: { width: 640, height: 480, channels: 3 } });
  const turned = async (quarterTurns: NonNullable<HeifOptions['quarterTurns']>) =>
    heifOf([await key265(image.clone().rotate(90 * quarterTurns))], { quarterTurns });
  const heic = heifOf([tile]);
  return [
    kind('HEIC', heic),
    kind('HEIC of tiles', await heicOfTiles(image, 0)),
    kind('HEIC of tiles, turned by 90 degrees', await heicOfTiles(image, 1)),
    kind('HEIC of tiles, turned by 180 degrees', await heicOfTiles(image, 2)),
    kind('HEIC of tiles, turned by 270 degrees', await heicOfTiles(image, 3)),
    kind('HEIC turned by 90 degrees', await turned(1)),
    kind('HEIC turned by 180 degrees', await turned(2)),
    kind('HEIC turned by 270 degrees', await turned(3)),
    kind('HEIC in Display P3', heifOf([await key265(inP3)], { icc: icc! })),
    kind('half a HEIC', heic.subarray(0, heic.length / 2), 'image_unreadable'),
    kind('HEIC without a picture', heic.subarray(0, 40), 'image_unreadable'),
    kind(
      'HEIC of 31 megapixels',
      heifOf(Array<typeof tile>(100).fill(tile), { grid: { columns: 10, rows: 10 } }),
      'image_heic_too_many_pixels',
    ),
  ];
}

/** As phones divide a photo: tiles of one size, of which the last reach beyond it, turned by a property. */
async function heicOfTiles(image: Sharp, quarterTurns: 0 | 1 | 2 | 3): Promise<Buffer> {
  const side = 256;
  const upright = await image
    .clone()
    .rotate(90 * quarterTurns)
    .png()
    .toBuffer();
  const { width, height } = await sharp(upright).metadata();
  const grid = { columns: Math.ceil(width / side), rows: Math.ceil(height / side) };
  const [right, bottom] = [grid.columns * side - width, grid.rows * side - height];
  const whole = await sharp(upright).extend({ right, bottom, background: '#f0f' }).png().toBuffer();
  const tiles = await Promise.all(
    Array.from({ length: grid.columns * grid.rows }, (_, i) => {
      const left = side * (i % grid.columns);
      const top = side * Math.floor(i / grid.columns);
      return key265(sharp(whole).extract({ left, top, width: side, height: side }));
    }),
  );
  return heifOf(tiles, { grid, shown: { width, height }, quarterTurns });
}

async function refused(image: Sharp, jpeg: Buffer): Promise<PhotoKind[]> {
  const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(200, 1)]);
  const starts: [string, string][] = [
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"/>'],
    ['PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'],
    ['JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 '],
    ['JPEG XL', '\0\0\0\x0cJXL \r\n\x87\n'],
    ['Photoshop file', '8BPS\0\x01\0\0\0\0\0\0\0\x03'],
    ['film', '\0\0\0\x18ftypmp42\0\0\0\0mp42isom'],
    ['sequence of HEIC', '\0\0\0\x18ftyphevc\0\0\0\0msf1hevc'],
    ['archive', 'PK\x03\x04\x14\0\0\0'],
    ['page', '<!doctype html><title>photo.jpg</title>'],
    ['text', 'photo'],
  ];
  return [
    ...(await made([
      ['GIF', image.clone().gif(), 'image_type'],
      ['TIFF', image.clone().tiff(), 'image_type'],
    ])),
    kind('BMP', bmp, 'image_type'),
    ...starts.map(([name, start]) =>
      kind(name, Buffer.concat([Buffer.from(start, 'latin1'), jpeg]), 'image_type'),
    ),
    kind('empty file', Buffer.alloc(0), 'image_empty'),
    kind('one byte', Buffer.from([0xff]), 'image_type'),
    kind('zeros', Buffer.alloc(4096), 'image_type'),
    kind('only the start of a JPEG', jpeg.subarray(0, 20), 'image_unreadable'),
    kind(
      'only the start of a HEIC',
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
      'image_unreadable',
    ),
  ];
}
