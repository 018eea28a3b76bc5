/**
 * Writes still pictures into HEIF files (ISO/IEC 23008-12), as phones do: one coded picture or a grid of tiles, turned
 * by a property instead of by Exif, with or without a colour profile.
 */
import { unitsOf } from '#media/codec/h264.ts';
import { typeOf265 } from '#media/codec/h265.ts';
import { hvccOf } from '#media/codec/hvcc.ts';

export interface CodedTile {
  /** H.265 with start codes: parameter sets and one key frame. */
  readonly annexB: Buffer;
  readonly width: number;
  readonly height: number;
}

export interface HeifOptions {
  /** Columns and rows; absent: a picture of one tile. */
  readonly grid?: { readonly columns: number; readonly rows: number };
  /** What is shown of the grid, from its upper left corner; absent: all. */
  readonly shown?: { readonly width: number; readonly height: number };
  /** Quarter turns against the clock. */
  readonly quarterTurns?: 0 | 1 | 2 | 3;
  readonly icc?: Buffer;
}

const u8 = (...values: number[]): Buffer => Buffer.from(values);
const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => u8(value >>> 8, value & 0xff)));
const u32 = (value: number): Buffer => u16(value >>> 16, value & 0xffff);
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
};
const fullBox = (type: string, version: number, ...parts: Buffer[]): Buffer =>
  box(type, u32(version << 24), ...parts);

/** `tiles`: row by row, all of the same size; of one coder, so that one description holds for all. */
export function heifOf(tiles: readonly CodedTile[], options: HeifOptions = {}): Buffer {
  const { grid, quarterTurns = 0, icc } = options;
  const [first] = tiles;
  const samples = tiles.map(({ annexB }) => sampleOf(annexB));
  const columns = grid?.columns ?? 1;
  const rows = grid?.rows ?? 1;
  const { width, height } = options.shown ?? {
    width: first!.width * columns,
    height: first!.height * rows,
  };
  const gridItem = tiles.length + 1;
  const items = tiles.map((_, i) => ({ id: i + 1, type: 'hvc1', isHidden: grid !== undefined }));
  if (grid) items.push({ id: gridItem, type: 'grid', isHidden: false });
  const primary = grid ? gridItem : 1;
  const data = grid
    ? [...samples, Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width, height)])]
    : samples;

  const properties = [
    box('hvcC', hvccOf(setsOf(first!.annexB))!),
    fullBox('ispe', 0, u32(first!.width), u32(first!.height)),
    fullBox('ispe', 0, u32(width), u32(height)),
    box('irot', u8(quarterTurns)),
    ...(icc ? [box('colr', Buffer.from('prof'), icc)] : []),
  ];
  const turned = quarterTurns === 0 ? [] : [0x80 | 4];
  const further = [...(icc ? [5] : []), ...turned];
  const associations = items.map(({ id, type }) => {
    const indices =
      type === 'grid' ? [3, ...further] : grid ? [0x80 | 1, 2] : [0x80 | 1, 2, ...further];
    return Buffer.concat([u16(id), u8(indices.length, ...indices)]);
  });
  const metaOf = (dataAt: number): Buffer =>
    fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(primary)),
      fullBox(
        'iinf',
        0,
        u16(items.length),
        ...items.map(({ id, type, isHidden }) =>
          box('infe', u32(0x02000000 | Number(isHidden)), u16(id, 0), Buffer.from(`${type}\0`)),
        ),
      ),
      ...(grid
        ? [
            fullBox(
              'iref',
              0,
              box('dimg', u16(gridItem, tiles.length, ...tiles.map((_, i) => i + 1))),
            ),
          ]
        : []),
      box(
        'iprp',
        box('ipco', ...properties),
        fullBox('ipma', 0, u32(items.length), ...associations),
      ),
      iloc(
        items.map(({ id }) => id),
        data,
        dataAt,
      ),
    );
  const start = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const dataAt = start.length + metaOf(0).length + 8;
  return Buffer.concat([start, metaOf(dataAt), box('mdat', ...data)]);
}

function iloc(ids: readonly number[], data: readonly Buffer[], dataAt: number): Buffer {
  let at = dataAt;
  const places = data.map((bytes, i) => {
    const place = Buffer.concat([u16(ids[i]!, 0, 1), u32(at), u32(bytes.length)]);
    at += bytes.length;
    return place;
  });
  return fullBox('iloc', 0, u8(0x44, 0), u16(ids.length), ...places);
}

/** Units with their lengths before them, without the parameter sets, which stand in the description. */
function sampleOf(annexB: Buffer): Buffer {
  const units = unitsOf(annexB, false).filter((unit) => typeOf265(unit) < 32);
  return Buffer.concat(units.flatMap((unit) => [u32(unit.length), unit]));
}

const startCode = Buffer.from([0, 0, 0, 1]);

function setsOf(annexB: Buffer): Buffer {
  const sets = unitsOf(annexB, false).filter((unit) => [32, 33, 34].includes(typeOf265(unit)));
  return Buffer.concat(sets.flatMap((set) => [startCode, set]));
}
