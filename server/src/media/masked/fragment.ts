/** A fragment of an MP4 stream (ISO/IEC 14496-12, 8.8): samples that follow one another, of one track or several. Pure. */
import { box, fullBox, u32, u64 } from '../export/boxes.ts';

export interface Run {
  readonly track: number;
  /** Decode time of the first of them, in ticks of the track. */
  readonly begin: number;
  /** Shown when they are decoded. */
  readonly samples: readonly {
    readonly data: Buffer;
    readonly ticks: number;
    /** Can be shown without any before it. */
    readonly key: boolean;
  }[];
}

/** Offsets count from the beginning of the fragment. */
const baseIsFragment = 0x20000;
/** Data offset; duration, size and flags of each sample. */
const trunFields = 0x1 | 0x100 | 0x200 | 0x400;
/** Depends on no other; depends on others, and is no place to begin. */
const flags = { key: 0x02000000, other: 0x01010000 } as const;

export function fragmentOf(sequence: number, runs: readonly Run[]): Buffer {
  // How long it is does not depend on where the data will be.
  const { length } = moof(sequence, runs, 0);
  const data = runs.flatMap(({ samples }) => samples.map((sample) => sample.data));
  return Buffer.concat([moof(sequence, runs, length + 8), box('mdat', ...data)]);
}

function moof(sequence: number, runs: readonly Run[], dataAt: number): Buffer {
  let at = dataAt;
  const trafs = runs.map((run) => {
    const traf = trafOf(run, at);
    at += run.samples.reduce((sum, { data }) => sum + data.length, 0);
    return traf;
  });
  return box('moof', fullBox('mfhd', 0, 0, u32(sequence)), ...trafs);
}

function trafOf({ track, begin, samples }: Run, dataAt: number): Buffer {
  const entries = samples.flatMap(({ data, ticks, key }) => [
    ticks,
    data.length,
    key ? flags.key : flags.other,
  ]);
  return box(
    'traf',
    fullBox('tfhd', 0, baseIsFragment, u32(track)),
    fullBox('tfdt', 1, 0, u64(begin)),
    fullBox('trun', 0, trunFields, u32(samples.length, dataAt, ...entries)),
  );
}
