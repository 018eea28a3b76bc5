/** Reads the fragments of a recorded file: each picture and each packet of sound, and where its bytes are. */
import { boxAt, childrenOf } from '../mp4/boxes.ts';
import { kindOf, Units } from '../mp4/units.ts';

export interface Sample {
  readonly trackId: number;
  /** From the beginning of the file. */
  readonly offset: number;
  readonly bytes: number;
  /** In ticks of its track. */
  readonly decodeTicks: number;
  readonly durationTicks: number;
  /** Presentation minus decode time, in the same ticks. */
  readonly shownLaterTicks: number;
  /** Whether it can be shown without any before it. */
  readonly key: boolean;
}

/** Bits of `tfhd` and `trun` that say which fields follow (ISO/IEC 14496-12, 8.8.7 and 8.8.8). */
const tfhdFields = { baseOffset: 0x1, description: 0x2, duration: 0x8, size: 0x10, flags: 0x20 };
const trunFields = { dataOffset: 0x1, firstFlags: 0x4 };
const sampleFields = { duration: 0x100, size: 0x200, flags: 0x400, later: 0x800 };
const isNoSync = 0x10000;

/** The samples in the order of their bytes. A torn fragment at the end of the file is left out. */
export function samplesOf(file: Buffer, from: number): Sample[] {
  const units = new Units();
  units.add(file.subarray(from));
  const samples: Sample[] = [];
  let at = from;
  for (let unit = units.next(); unit; unit = units.next()) {
    samples.push(...samplesOfUnit(unit, at));
    at += unit.length;
  }
  return samples.toSorted(byOffset);
}

export const byOffset = (a: Pick<Sample, 'offset'>, b: Pick<Sample, 'offset'>): number =>
  a.offset - b.offset;

/** Returns the samples of a fragment, and none for another box. `at`: where it begins in the file. */
export const samplesOfUnit = (unit: Buffer, at: number): Sample[] =>
  kindOf(unit) === 'moof' ? samplesOfFragment(unit.subarray(0, unit.readUInt32BE(0)), at) : [];

function samplesOfFragment(moof: Buffer, fragmentAt: number): Sample[] {
  return [...childrenOf(moof.subarray(8))]
    .filter(({ kind }) => kind === 'traf')
    .flatMap(({ whole }) => samplesOfTrack(whole.subarray(8), fragmentAt));
}

interface Defaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

function samplesOfTrack(traf: Buffer, fragmentAt: number): Sample[] {
  const tfhd = boxAt(traf, ['tfhd']);
  const tfdt = boxAt(traf, ['tfdt']);
  if (!tfhd || !tfdt) return [];
  const trackId = tfhd.readUInt32BE(4);
  const defaults = defaultsOf(tfhd);
  let decodeTicks = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
  const samples: Sample[] = [];
  for (const { kind, whole } of childrenOf(traf)) {
    if (kind !== 'trun') continue;
    for (const sample of samplesOfRun(whole.subarray(8), defaults, fragmentAt)) {
      samples.push({ ...sample, trackId, decodeTicks });
      decodeTicks += sample.durationTicks;
    }
  }
  return samples;
}

function defaultsOf(tfhd: Buffer): Defaults {
  const present = tfhd.readUIntBE(1, 3);
  let at = 8;
  const next = (bit: number, bytes: number): number => {
    if (!(present & bit)) return 0;
    at += bytes;
    return tfhd.readUInt32BE(at - 4);
  };
  next(tfhdFields.baseOffset, 8);
  next(tfhdFields.description, 4);
  const duration = next(tfhdFields.duration, 4);
  const size = next(tfhdFields.size, 4);
  return { duration, size, flags: next(tfhdFields.flags, 4) };
}

/** Offsets are from the beginning of the fragment (`default-base-is-moof`). */
function* samplesOfRun(
  trun: Buffer,
  defaults: Defaults,
  fragmentAt: number,
): Generator<Omit<Sample, 'trackId' | 'decodeTicks'>> {
  const present = trun.readUIntBE(1, 3);
  const count = trun.readUInt32BE(4);
  let at = 8;
  const next = (bit: number): number | null => {
    if (!(present & bit)) return null;
    at += 4;
    return trun.readUInt32BE(at - 4);
  };
  let offset = fragmentAt + ((next(trunFields.dataOffset) ?? 0) | 0);
  const firstFlags = next(trunFields.firstFlags);
  for (let index = 0; index < count; index++) {
    const durationTicks = next(sampleFields.duration) ?? defaults.duration;
    const bytes = next(sampleFields.size) ?? defaults.size;
    const own = next(sampleFields.flags);
    const flags = (index === 0 ? firstFlags : null) ?? own ?? defaults.flags;
    const shownLaterTicks = (next(sampleFields.later) ?? 0) | 0;
    yield { offset, bytes, durationTicks, shownLaterTicks, key: (flags & isNoSync) === 0 };
    offset += bytes;
  }
}
