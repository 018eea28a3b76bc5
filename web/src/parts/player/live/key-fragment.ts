/**
 * Whether a piece of fragmented MP4 begins with a picture that stands alone (ISO/IEC 14496-12: `moof`, `traf`, `tfhd`,
 * `trun`). Pure.
 */

interface Box {
  readonly kind: string;
  /** Where its contents start and end. */
  readonly start: number;
  readonly end: number;
}

const headBytes = 8;

function* boxes(view: DataView, start: number, end: number): Generator<Box> {
  let at = start;
  while (at + headBytes <= end) {
    const size = view.getUint32(at);
    // A size of 0 or 1 is that of a box no fragment of ours has.
    if (size < headBytes || at + size > end) return;
    const kind = String.fromCharCode(...[4, 5, 6, 7].map((byte) => view.getUint8(at + byte)));
    yield { kind, start: at + headBytes, end: at + size };
    at += size;
  }
}

const inside = (view: DataView, { start, end }: Box, kind: string): Box | null =>
  boxes(view, start, end).find((box) => box.kind === kind) ?? null;

const fullBoxBytes = 4;
const trackIdBytes = 4;
const sampleCountBytes = 4;

/** The flags of a box, and where the field of `flag` lies among the optional ones before it. */
function field(
  view: DataView,
  box: Box,
  fixedBytes: number,
  fields: readonly Field[],
  flag: number,
) {
  const flags = view.getUint32(box.start) & 0xffffff;
  if ((flags & flag) === 0) return null;
  const before = fields.filter((one) => one.flag < flag && (flags & one.flag) !== 0);
  const skipped = before.reduce((sum, { bytes }) => sum + bytes, 0);
  const at = box.start + fullBoxBytes + fixedBytes + skipped;
  return at + 4 <= box.end ? view.getUint32(at) : null;
}

interface Field {
  readonly flag: number;
  readonly bytes: number;
}

const headerFields: readonly Field[] = [
  { flag: 0x01, bytes: 8 }, // base data offset
  { flag: 0x02, bytes: 4 }, // sample description
  { flag: 0x08, bytes: 4 }, // duration
  { flag: 0x10, bytes: 4 }, // size
  { flag: 0x20, bytes: 4 }, // flags
];
const runFields: readonly Field[] = [
  { flag: 0x001, bytes: 4 }, // data offset
  { flag: 0x004, bytes: 4 }, // flags of the first sample
  { flag: 0x100, bytes: 4 }, // duration, of each sample from here on
  { flag: 0x200, bytes: 4 }, // size
  { flag: 0x400, bytes: 4 }, // flags
];
const isNonSync = 0x10000;

/** True also of what is no fragment: an initialisation segment is needed whatever follows. */
export function beginsWithKey(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const moof = inside(view, { kind: '', start: 0, end: data.byteLength }, 'moof');
  if (moof === null) return true;
  const traf = inside(view, moof, 'traf');
  const [tfhd, trun] = [traf && inside(view, traf, 'tfhd'), traf && inside(view, traf, 'trun')];
  if (tfhd === null || trun === null) return false;
  const flags =
    field(view, trun, sampleCountBytes, runFields, 0x004) ??
    field(view, trun, sampleCountBytes, runFields, 0x400) ??
    field(view, tfhd, trackIdBytes, headerFields, 0x20) ??
    0;
  return (flags & isNonSync) === 0;
}
