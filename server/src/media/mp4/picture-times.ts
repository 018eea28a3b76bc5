/** Reads when the picture of a fragment is decoded and shown. */
import { boxAt } from './boxes.ts';

export interface PictureTimes {
  readonly decodeTicks: number;
  readonly shownTicks: number;
  readonly durationTicks: number;
  readonly key: boolean;
}

/** Bits of `tfhd` and `trun` that say which fields follow (ISO/IEC 14496-12, 8.8.7 and 8.8.8). */
const hasBaseOffset = 0x1;
const hasDescription = 0x2;
const hasDefaultDuration = 0x8;
const hasDefaultSize = 0x10;
const hasDefaultFlags = 0x20;
const hasDataOffset = 0x1;
const hasFirstFlags = 0x4;
const hasDuration = 0x100;
const hasSize = 0x200;
const hasFlags = 0x400;
const hasOffset = 0x800;
/** In the flags of a sample: it depends on samples before it. */
const isNoSync = 0x10000;

/** The only picture of a fragment. */
export function pictureOf(moof: Buffer): PictureTimes | null {
  const tfdt = boxAt(moof, ['moof', 'traf', 'tfdt']);
  const tfhd = boxAt(moof, ['moof', 'traf', 'tfhd']);
  const trun = boxAt(moof, ['moof', 'traf', 'trun']);
  if (!tfdt || !tfhd || !trun || tfdt.length < 12 || tfhd.length < 8 || trun.length < 8)
    return null;
  const decodeTicks = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
  const defaults = fieldsOf(tfhd, 8, [
    [hasBaseOffset, 8],
    [hasDescription, 4],
    [hasDefaultDuration, 4],
    [hasDefaultSize, 4],
    [hasDefaultFlags, 4],
  ]);
  const run = fieldsOf(trun, 8, [
    [hasDataOffset, 4],
    [hasFirstFlags, 4],
    [hasDuration, 4],
    [hasSize, 4],
    [hasFlags, 4],
    [hasOffset, 4],
  ]);
  const flags = run.get(hasFirstFlags) ?? run.get(hasFlags) ?? defaults.get(hasDefaultFlags) ?? 0;
  return {
    decodeTicks,
    shownTicks: decodeTicks + ((run.get(hasOffset) ?? 0) | 0),
    durationTicks: run.get(hasDuration) ?? defaults.get(hasDefaultDuration) ?? 0,
    key: (flags & isNoSync) === 0,
  };
}

/** The values of the optional fields that are present; for fields of 8 bytes the lower half. */
function fieldsOf(
  box: Buffer,
  begin: number,
  fields: readonly (readonly [bit: number, bytes: 4 | 8])[],
): Map<number, number> {
  const present = box.readUIntBE(1, 3);
  const found = new Map<number, number>();
  let at = begin;
  for (const [bit, bytes] of fields) {
    if (!(present & bit) || at + bytes > box.length) continue;
    found.set(bit, box.readUInt32BE(at + bytes - 4));
    at += bytes;
  }
  return found;
}
