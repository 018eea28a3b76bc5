/**
 * What an export begins with where that is a key picture of an open group of H.264: pictures after the leading ones, which
 * it can't have, may name those, or some from before, and Chromium then plays nothing. The headers of the first few
 * pictures name what is there (`codec/closed-group264.ts`). All that follows is copied byte for byte.
 */
import { ClosedGroup264 } from '../codec/closed-group264.ts';
import { unitsOf } from '../codec/h264.ts';
import { streamOf } from './description.ts';
import type { FilePicture, RecordedFile } from './recorded-file.ts';

/**
 * The pictures that are other than they were recorded, by where they lie in the file; empty where none has to be, or where
 * they can't be read. `read`: the bytes of a picture.
 */
export async function closedBeginning(
  { pictures, video }: RecordedFile,
  key: FilePicture,
  read: (picture: FilePicture) => Promise<Buffer>,
): Promise<Map<number, Buffer>> {
  const stream = streamOf(video.description);
  const written = new Map<number, Buffer>();
  if (stream?.kind !== 'h264') return written;
  const rewriter = new ClosedGroup264(unitsOf(stream.sets, false));
  const keyBytes = await read(key);
  if (!rewriter.begin(keyBytes, { keepsNumbers: true })) return written;
  const write = ({ sample }: FilePicture, other: Buffer, recorded: Buffer): void => {
    if (!other.equals(recorded)) written.set(sample.offset, other);
  };
  for (const picture of pictures.slice(pictures.indexOf(key) + 1)) {
    const isLeading = picture.shownTicks < key.shownTicks;
    if (!isLeading && rewriter.isOver(picture.key)) break;
    const bytes = await read(picture);
    const other = isLeading ? rewriter.leaveOut(bytes) : rewriter.next(bytes);
    if (!other) return new Map();
    if (Buffer.isBuffer(other)) write(picture, other, bytes);
  }
  write(key, rewriter.key!, keyBytes);
  return written;
}
