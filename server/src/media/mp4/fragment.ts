/**
 * Writes one fragment of an MP4 stream (ISO/IEC 14496-12, 8.8): a `moof` that says what is in it and the `mdat` that
 * holds it. FFmpeg's muxer is not used, because there each picture took two journeys to another thread and three
 * copies.
 */
export interface Sample {
  readonly data: Buffer;
  /** In ticks of its track. */
  readonly duration: number;
  /** From when it is decoded to when it is shown, in the same ticks. */
  readonly offset: number;
  readonly key: boolean;
}

/** The samples of one track in a fragment: at least one. */
export interface Run {
  readonly trackId: number;
  /** When the first sample is decoded, in ticks of its track. */
  readonly decodedAt: number;
  readonly samples: readonly Sample[];
}

const mfhdBytes = 16;
const tfhdBytes = 16;
const tfdtBytes = 20;
const trunHeadBytes = 20;
const trunSampleBytes = 16;
const runBytes = ({ samples }: Run): number =>
  8 + tfhdBytes + tfdtBytes + trunHeadBytes + samples.length * trunSampleBytes;

/** In `tfhd`: data offsets count from the beginning of the `moof`. */
const baseIsMoof = 0x02_00_00;
/** In `trun`: the offset of the data; for each sample duration, size, flags and signed offset. */
const fields = 0x1 | 0x100 | 0x200 | 0x400 | 0x800;
/** Flags of a sample (8.8.3.1): it depends on no other; it depends on others and is no sync sample. */
const keyFlags = 0x02_00_00_00;
const otherFlags = 0x01_01_00_00;

/** `sequence` counts the fragments of a stream from 1. */
export function fragmentOf(sequence: number, runs: readonly Run[]): Buffer {
  const moofBytes = 8 + mfhdBytes + runs.reduce((sum, run) => sum + runBytes(run), 0);
  const samples = runs.flatMap((run) => run.samples);
  const mdatBytes = 8 + samples.reduce((sum, { data }) => sum + data.length, 0);
  const out = Buffer.allocUnsafe(moofBytes + mdatBytes);
  let at = box(out, 0, moofBytes, 'moof');
  at = fullBox(out, at, mfhdBytes, 'mfhd', 0);
  at = out.writeUInt32BE(sequence, at);
  let dataAt = moofBytes + 8;
  for (const run of runs) {
    at = writeRun(out, at, run, dataAt);
    dataAt += run.samples.reduce((sum, { data }) => sum + data.length, 0);
  }
  at = box(out, at, mdatBytes, 'mdat');
  for (const { data } of samples) at += data.copy(out, at);
  return out;
}

function writeRun(out: Buffer, begin: number, run: Run, dataAt: number): number {
  let at = box(out, begin, runBytes(run), 'traf');
  at = fullBox(out, at, tfhdBytes, 'tfhd', baseIsMoof);
  at = out.writeUInt32BE(run.trackId, at);
  at = fullBox(out, at, tfdtBytes, 'tfdt', 0x01_00_00_00);
  at = out.writeBigUInt64BE(BigInt(run.decodedAt), at);
  const { samples } = run;
  at = fullBox(
    out,
    at,
    trunHeadBytes + samples.length * trunSampleBytes,
    'trun',
    0x01_00_00_00 | fields,
  );
  at = out.writeUInt32BE(samples.length, at);
  at = out.writeInt32BE(dataAt, at);
  for (const { data, duration, offset, key } of samples) {
    at = out.writeUInt32BE(duration, at);
    at = out.writeUInt32BE(data.length, at);
    at = out.writeUInt32BE(key ? keyFlags : otherFlags, at);
    at = out.writeInt32BE(offset, at);
  }
  return at;
}

function box(out: Buffer, at: number, bytes: number, kind: string): number {
  out.writeUInt32BE(bytes, at);
  out.write(kind, at + 4, 'latin1');
  return at + 8;
}

/** `versionAndFlags`: the version in the highest byte and the flags in the others. */
function fullBox(
  out: Buffer,
  at: number,
  bytes: number,
  kind: string,
  versionAndFlags: number,
): number {
  return out.writeUInt32BE(versionAndFlags, box(out, at, bytes, kind));
}
