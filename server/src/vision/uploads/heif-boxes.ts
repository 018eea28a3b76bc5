/** Reads from the boxes of HEIF files (ISO/IEC 14496-12, 23008-12) what libheif's JavaScript does not give. Pure. */

/** Brands of still pictures by their coding, which stand in the first box of a file. */
const avifBrands = ['avif'];
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'mif1'];

/** The first box is `ftyp`: its own brand, a version, and the brands it is compatible with. */
export function heifType(bytes: Buffer): 'avif' | 'heic' | null {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return null;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, maxBrandsEnd);
  const brands = new Set([bytes.toString('latin1', 8, 12)]);
  for (let at = 16; at + 4 <= end; at += 4) brands.add(bytes.toString('latin1', at, at + 4));
  if (avifBrands.some((brand) => brands.has(brand))) return 'avif';
  return heicBrands.some((brand) => brands.has(brand)) ? 'heic' : null;
}

/** No known file names more than a dozen brands. */
const maxBrandsEnd = 16 + 4 * 64;

/** The first ICC profile among the properties of the pictures; null where there is none. */
export function colourProfileOf(bytes: Buffer): Buffer | null {
  // `meta` has a version and flags before the boxes in it.
  const meta = first(bytes, 'meta')?.subarray(4);
  const properties = meta && first(first(meta, 'iprp') ?? empty, 'ipco');
  for (const [type, content] of boxesOf(properties ?? empty)) {
    const kind = content.toString('latin1', 0, 4);
    if (type === 'colr' && (kind === 'prof' || kind === 'rICC')) return content.subarray(4);
  }
  return null;
}

const empty = Buffer.alloc(0);

function first(bytes: Buffer, wanted: string): Buffer | null {
  for (const [type, content] of boxesOf(bytes)) if (type === wanted) return content;
  return null;
}

/** Ends at a box that does not fit, or whose size is written in another way, as only those of media are. */
function* boxesOf(bytes: Buffer): Generator<[type: string, content: Buffer]> {
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) return;
    yield [bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + size)];
    at += size;
  }
}
