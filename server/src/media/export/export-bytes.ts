/** What an export is put together from: ranges of recorded files, and bytes that were encoded anew. */
import type { PlacedSample } from './placed-samples.ts';
import type { ByteRange } from './source-files.ts';

/** A range of bytes of a file, or bytes that were encoded anew. */
export type ExportBytes = readonly [offset: number, bytes: number] | Buffer;

/** What comes of one file, in the order in which it is written. */
export interface FileBytes {
  readonly file: string;
  readonly pieces: readonly ExportBytes[];
}

/** What is read of a file at once and written at once. */
export interface Part {
  readonly file: string;
  /** What holds the ranges among `pieces`; null: all of them were encoded anew. */
  readonly range: ByteRange | null;
  readonly pieces: readonly ExportBytes[];
}

/** So many pieces the operating system takes in one call. */
const mostPieces = 1_000;
/** Ten seconds of most cameras. */
const usualPartBytes = 4 * 1024 * 1024;

/** Puts together what lies within so many bytes of the file; a picture that is larger is a part of its own. */
export function* partsOf({ file, pieces }: FileBytes, mostBytes = usualPartBytes): Generator<Part> {
  let part: ExportBytes[] = [];
  let range: ByteRange | null = null;
  for (const piece of pieces) {
    const wider: ByteRange | null = Buffer.isBuffer(piece) ? range : around(range, piece);
    const isFull = part.length === mostPieces || (wider?.bytes ?? 0) > mostBytes;
    if (isFull && part.length > 0) {
      yield { file, range, pieces: part };
      part = [];
      range = Buffer.isBuffer(piece) ? null : around(null, piece);
    } else range = wider;
    part.push(piece);
  }
  if (part.length > 0) yield { file, range, pieces: part };
}

function around(
  range: ByteRange | null,
  [offset, bytes]: readonly [offset: number, bytes: number],
): ByteRange {
  const from = Math.min(range?.offset ?? offset, offset);
  const until = Math.max(range ? range.offset + range.bytes : 0, offset + bytes);
  return { offset: from, bytes: until - from };
}

/** The bytes to write. `data`: those of the range. */
export const writtenOf = ({ range, pieces }: Part, data: Buffer): Buffer[] =>
  pieces.map((piece) => {
    if (Buffer.isBuffer(piece)) return piece;
    const at = piece[0] - range!.offset;
    return data.subarray(at, at + piece[1]);
  });

/** Adds the bytes of a sample; ranges that follow one another become one. */
export function appendBytes(
  pieces: ExportBytes[],
  { at, before, bytes: all }: Pick<PlacedSample, 'at' | 'before' | 'bytes'>,
): void {
  if (before) pieces.push(before);
  const bytes = all - (before?.length ?? 0);
  if (typeof at !== 'number') {
    pieces.push(at);
    return;
  }
  const last = pieces.at(-1);
  if (last && !Buffer.isBuffer(last) && last[0] + last[1] === at) {
    pieces[pieces.length - 1] = [last[0], last[1] + bytes];
  } else pieces.push([at, bytes]);
}

/** Puts those bytes in the place of pictures that would be copied. */
export const writtenBy =
  (closed: ReadonlyMap<number, Buffer>) =>
  (sample: PlacedSample): PlacedSample => {
    const other = typeof sample.at === 'number' ? closed.get(sample.at) : undefined;
    return other ? { ...sample, at: other, bytes: other.length } : sample;
  };

export const withBefore = (sample: PlacedSample, before: Buffer): PlacedSample => ({
  ...sample,
  before,
  bytes: before.length + sample.bytes,
});
