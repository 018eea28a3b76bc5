/** Pictures made to exhaust or confuse decoders. Made on the spot: none is kept as a file. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

const MiB = 1024 * 1024;
const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

interface Png {
  readonly width: number;
  readonly height: number;
  /** Bits per channel, colour type (0 grey, 2 RGB, 3 palette, 6 RGBA), 1 when interlaced. */
  readonly kind?: readonly [bits: number, colour: number, interlaced: number];
  readonly pixels?: Buffer;
  readonly before?: readonly Buffer[];
}

function png({ width, height, kind = [8, 2, 0], pixels, before = [] }: Png): Buffer {
  const [bits, colour, interlaced] = kind;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width >>> 0, 0);
  header.writeUInt32BE(height >>> 0, 4);
  header.set([bits, colour, 0, 0, interlaced], 8);
  const data = deflateSync(pixels ?? Buffer.alloc(1_000));
  return Buffer.concat([
    pngStart,
    chunk('IHDR', header),
    ...before,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Zeros that unpack to this many bytes from a thousandth of it. */
const packedZeros = (bytes: number): Buffer => deflateSync(Buffer.alloc(bytes), { level: 9 });

/** The size in the head of a JPEG, overwritten. */
function claimJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const lie = Buffer.from(jpeg);
  const frame = lie.findIndex((byte, i) => byte === 0xff && [0xc0, 0xc2].includes(lie[i + 1]!));
  lie.writeUInt16BE(height, frame + 5);
  lie.writeUInt16BE(width, frame + 7);
  return lie;
}

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** Puts segments behind the start of a JPEG. */
const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 90, g: 120, b: 60 } } });

function riff(...parts: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function riffChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** The canvas of an extended WebP, in pixels less one as the format has it. */
function canvas(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riffChunk('VP8X', data);
}

export async function bombs(): Promise<readonly (readonly [name: string, bytes: Buffer])[]> {
  const jpeg = await blank(64, 48).jpeg().toBuffer();
  const progressive = await blank(256, 256).jpeg({ progressive: true }).toBuffer();
  const webp = await blank(64, 48).webp().toBuffer();
  const small = await blank(64, 48).png().toBuffer();
  const scan = progressive.subarray(progressive.indexOf(Buffer.from([0xff, 0xda])), -2);
  const text = Buffer.concat([Buffer.from('Comment\0\0'), packedZeros(200 * MiB)]);
  const profile = Buffer.concat([Buffer.from('icc\0\0'), packedZeros(200 * MiB)]);
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(1_000_000, 0);
  return [
    ...pngBombs(small, text, profile, frames),
    ...jpegBombs(jpeg, progressive, scan),
    ...webpBombs(webp),
    [
      'a ZIP behind a PNG',
      Buffer.concat([small, Buffer.from('PK\x03\x04'), Buffer.alloc(5 * MiB)]),
    ],
    ['a page behind a JPEG', Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')])],
    ['10 MiB of the start of a JPEG', Buffer.alloc(10 * MiB - 1, Buffer.from([0xff, 0xd8, 0xff]))],
    ['a JPEG in a JPEG in a JPEG', Buffer.concat(Array<Buffer>(10_000).fill(jpeg))],
  ];
}

function pngBombs(
  small: Buffer,
  text: Buffer,
  profile: Buffer,
  frames: Buffer,
): [string, Buffer][] {
  const zeros = Buffer.alloc(40 * MiB * 3 + 5_000);
  return [
    ['PNG of 60,000 x 60,000', png({ width: 60_000, height: 60_000 })],
    ['PNG of 2^31 - 1', png({ width: 0x7fff_ffff, height: 0x7fff_ffff })],
    ['PNG of 2^32 - 1', png({ width: -1, height: -1 })],
    ['PNG of no width', png({ width: 0, height: 10 })],
    ['PNG of 8,192 x 8,192 with its zeros', png({ width: 8_192, height: 8_192, pixels: zeros })],
    [
      'PNG of 30,000 x 30,000 with all of its pixels, in 110 KB',
      png({ width: 30_000, height: 30_000, kind: [1, 0, 0], pixels: Buffer.alloc(30_000 * 3_751) }),
    ],
    ['PNG that unpacks to more than it claims', png({ width: 9, height: 9, pixels: zeros })],
    [
      'interlaced, 16 bits, with transparency',
      png({ width: 8_000, height: 4_900, kind: [16, 6, 1] }),
    ],
    ['palette without colours', png({ width: 500, height: 500, kind: [8, 3, 0] })],
    ['text that unpacks to 200 MiB', png({ width: 9, height: 9, before: [chunk('zTXt', text)] })],
    [
      'profile that unpacks to 200 MiB',
      png({ width: 9, height: 9, before: [chunk('iCCP', profile)] }),
    ],
    [
      '50,000 comments',
      png({
        width: 9,
        height: 9,
        before: Array<Buffer>(50_000).fill(chunk('tEXt', Buffer.from('a\0b'))),
      }),
    ],
    ['a million frames', png({ width: 9, height: 9, before: [chunk('acTL', frames)] })],
    [
      'a chunk of 2 GiB that is not there',
      Buffer.concat([small.subarray(0, 33), Buffer.from('\x7f\xff\xff\xffIDAT', 'latin1')]),
    ],
    ['only a head', small.subarray(0, 33)],
  ];
}

function jpegBombs(jpeg: Buffer, progressive: Buffer, scan: Buffer): [string, Buffer][] {
  const meta = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), Buffer.alloc(65_000, 0xff)]));
  return [
    ['JPEG of 65,500 x 65,500', claimJpeg(jpeg, 65_500, 65_500)],
    ['progressive JPEG of 8,192 x 4,800', claimJpeg(progressive, 8_192, 4_800)],
    ['JPEG of no height', claimJpeg(jpeg, 100, 0)],
    [
      '2,000 scans',
      Buffer.concat([
        progressive.subarray(0, -2),
        ...Array<Buffer>(2_000).fill(scan),
        Buffer.from([0xff, 0xd9]),
      ]),
    ],
    ['150 EXIF blocks', withSegments(jpeg, ...Array<Buffer>(150).fill(meta))],
    [
      'EXIF that points at itself',
      withSegments(
        jpeg,
        segment(
          0xe1,
          Buffer.from(
            'Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0\x08\0\0\0',
            'latin1',
          ),
        ),
      ),
    ],
    [
      '100,000 restart marks',
      Buffer.concat([
        jpeg.subarray(0, -2),
        Buffer.alloc(200_000, Buffer.from([0xff, 0xd0])),
        Buffer.from([0xff, 0xd9]),
      ]),
    ],
    [
      'no tables',
      Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(jpeg.indexOf(Buffer.from([0xff, 0xda])))]),
    ],
    ['5 MiB of fill bytes', withSegments(jpeg, Buffer.alloc(5 * MiB, 0xff))],
  ];
}

function webpBombs(webp: Buffer): [string, Buffer][] {
  const image = webp.subarray(12);
  return [
    ['WebP canvas of 16,384 x 16,384', riff(canvas(16_384, 16_384), image)],
    ['WebP canvas of 16,777,216', riff(canvas(16_777_216, 16_777_216), image)],
    ['WebP that says it moves', riff(canvas(64, 48, 2), image)],
    [
      'WebP whose length lies',
      Buffer.concat([webp.subarray(0, 4), Buffer.from([255, 255, 255, 127]), webp.subarray(8)]),
    ],
    [
      'WebP with 10,000 blocks of nothing',
      riff(...Array<Buffer>(10_000).fill(riffChunk('JUNK', Buffer.alloc(10))), image),
    ],
    [
      'lossless WebP of 16,384 x 16,384',
      riff(riffChunk('VP8L', Buffer.from([0x2f, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0]))),
    ],
  ];
}
