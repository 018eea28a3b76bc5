/** What an export is put together from: ranges of recorded files, and bytes that were encoded anew. */
import type { PlacedSample } from './placed-samples.ts';

/** A range of bytes of a file, or bytes that were encoded anew. */
export type ExportBytes = readonly [offset: number, bytes: number] | Buffer;

/** What comes of one file, in the order in which it is written. */
export interface FileBytes {
  readonly file: string;
  readonly pieces: readonly ExportBytes[];
}

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
