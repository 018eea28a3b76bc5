/**
 * Leading pictures of an open group of pictures in H.264: they come after the key picture, are shown before it and refer
 * to the group before. A browser that begins or seeks there cannot decode them and gives up (Chromium:
 * PIPELINE_ERROR_DECODE). Players therefore get such groups closed: without their leading pictures, the key picture shown
 * in their place, so that no hole is left. Files keep everything.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { boxAt } from './boxes.ts';
import { pictureOf } from './segment-file.ts';

/** Bytes to write over those of a file when it is sent to a player. */
export interface Patch {
  readonly at: number;
  readonly bytes: Buffer;
}

/** A fragment without its data. */
interface Fragment {
  readonly at: number;
  readonly moof: Buffer;
  readonly decodeTicks: number;
  readonly shownTicks: number;
  readonly key: boolean;
}

/** Of `trun`: data offset, and for each sample duration, size, flags and offset; so `fragment.ts` writes it. */
const ownFields = 0x1 | 0x100 | 0x200 | 0x400 | 0x800;
/** In `trun` after version, flags, number of samples and data offset. */
const durationAt = 12;
const offsetAt = 24;
const skipped = Buffer.from('free');
const moofBytes = 1024;
/** What fits the fields of `trun`. */
const maxTicks = 2 ** 31 - 1;

/**
 * Returns the fragment of a key picture that is shown from `shownTicks` on and lasts until `untilTicks` is decoded;
 * the same fragment when it is none of ours.
 */
export function stretched(fragment: Buffer, shownTicks: number, untilTicks: number): Buffer {
  const copy = Buffer.from(fragment);
  for (const { at, bytes } of stretches(fragment, shownTicks, untilTicks)) bytes.copy(copy, at);
  return copy;
}

function stretches(fragment: Buffer, shownTicks: number, untilTicks: number): Patch[] {
  const trun = boxAt(fragment, ['moof', 'traf', 'trun']);
  const picture = pictureOf(fragment);
  if (!trun || !picture || trun.readUIntBE(1, 3) !== ownFields) return [];
  const trunAt = trun.byteOffset - fragment.byteOffset;
  const { decodeTicks } = picture;
  const lasts = untilTicks - decodeTicks;
  // Times of a damaged file may be anything.
  if (lasts < 0 || lasts > maxTicks || shownTicks - decodeTicks > maxTicks) return [];
  const duration = Buffer.alloc(4);
  duration.writeUInt32BE(lasts);
  const offset = Buffer.alloc(4);
  offset.writeInt32BE(Math.max(0, shownTicks - decodeTicks));
  return [
    { at: trunAt + durationAt, bytes: duration },
    { at: trunAt + offsetAt, bytes: offset },
  ];
}

/** Returns what closes the groups of a recorded file; nothing for a file whose pictures come as they are shown. */
export async function closingPatches(
  file: Pick<FileHandle, 'read'>,
  from: number,
  until: number,
): Promise<Patch[]> {
  const patches: Patch[] = [];
  let key: Fragment | null = null;
  let leading: Fragment[] = [];
  let isFirst = true;
  for await (const fragment of fragmentsOf(file, from, until)) {
    if (isFirst && fragment.shownTicks === fragment.decodeTicks) return [];
    isFirst = false;
    if (key && !fragment.key && fragment.shownTicks < key.shownTicks) {
      leading.push(fragment);
      continue;
    }
    if (key) patches.push(...closed(key, leading, fragment.decodeTicks));
    leading = [];
    key = fragment.key ? fragment : null;
  }
  return patches;
}

function closed(key: Fragment, leading: readonly Fragment[], untilTicks: number): Patch[] {
  if (leading.length === 0) return [];
  const shownTicks = Math.min(...leading.map((one) => one.shownTicks));
  const longer = stretches(key.moof, shownTicks, untilTicks);
  return [
    ...longer.map(({ at, bytes }) => ({ at: key.at + at, bytes })),
    ...leading.flatMap(withoutPicture),
  ];
}

/** Sound in the same fragment stays. */
function withoutPicture({ at, moof }: Fragment): Patch[] {
  const trafs: number[] = [];
  for (let box = 8; box + 8 <= moof.length; box += Math.max(8, moof.readUInt32BE(box))) {
    if (moof.toString('latin1', box + 4, box + 8) === 'traf') trafs.push(box);
  }
  const [picture] = trafs;
  // A fragment without any track is none (ISO/IEC 14496-12, 8.8.4): then all of it is skipped.
  if (trafs.length > 1 && picture !== undefined) return [{ at: at + picture + 4, bytes: skipped }];
  return [
    { at: at + 4, bytes: skipped },
    { at: at + moof.length + 4, bytes: skipped },
  ];
}

async function* fragmentsOf(
  file: Pick<FileHandle, 'read'>,
  from: number,
  until: number,
): AsyncGenerator<Fragment> {
  const read = async (at: number, bytes: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
    return buffer.subarray(0, bytesRead);
  };
  for (let at = from; at + 16 <= until;) {
    let head = await read(at, moofBytes);
    if (head.length < 8) return;
    const size = head.readUInt32BE(0);
    if (size < 8 || at + size > until) return;
    if (head.toString('latin1', 4, 8) !== 'moof') {
      at += size;
      continue;
    }
    if (head.length < size + 8) head = await read(at, size + 8);
    if (head.length < size + 8) return;
    const moof = head.subarray(0, size);
    const picture = pictureOf(moof);
    if (picture) yield { at, moof, ...picture };
    at += size + head.readUInt32BE(size);
  }
}

/**
 * Returns how the bytes of a recorded file are changed on their way to a player; null where they are sent as they are.
 * `headBytes`: those before the first fragment.
 */
export async function openForPlayers(
  path: string,
  { codec, headBytes, bytes }: { codec: string; headBytes: number; bytes: number },
): Promise<((pieces: Readable, at: number) => Readable) | null> {
  if (codec !== 'h264') return null;
  await using file = await open(path, 'r');
  const patches = await closingPatches(file, headBytes, bytes);
  if (patches.length === 0) return null;
  return (pieces, at) => Readable.from(patched(pieces, at, patches), { objectMode: false });
}

/** The bytes that begin at `at` in the file, with the patches written over them. */
async function* patched(
  pieces: AsyncIterable<Buffer>,
  at: number,
  patches: readonly Patch[],
): AsyncGenerator<Buffer> {
  let begin = at;
  for await (const piece of pieces) {
    const end = begin + piece.length;
    for (const patch of patches) {
      const first = Math.max(patch.at, begin);
      const last = Math.min(patch.at + patch.bytes.length, end);
      if (first < last) patch.bytes.copy(piece, first - begin, first - patch.at, last - patch.at);
    }
    begin = end;
    yield piece;
  }
}
