/**
 * Reads one file of a recording and makes our own boxes of it. A file holds the initialisation segment, a box that
 * says what this is, a fragment for each picture and, once it is complete, a box that says what moved and one with a
 * small still, whose JPEG ends with the file: one read finds it, and it goes where its file goes. Everything in
 * its row of the index can be read from the file again, so that an index can be rebuilt from files, and a file that a
 * crash left behind can be identified.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { boxAt } from './boxes.ts';
import { ticksPerSecond } from '../codec/timeline.ts';
import { encodeGrid, type MotionGrid } from '../protocol/motion-grid.ts';
import type {
  KeyFrame,
  MotionSpan,
  SegmentHead,
  SegmentTail,
  Still,
  StillMark,
} from '../protocol/segments.ts';

interface Tail {
  readonly motion: readonly MotionSpan[];
  /** Base64; absent in files from before there were grids. */
  readonly grid?: string;
}

export interface SegmentContents {
  readonly head: SegmentHead;
  /** The bytes before the first fragment. */
  readonly headBytes: number;
  /** The bytes of everything that is complete; a torn fragment may follow. */
  readonly bytes: number;
  readonly keyFrames: readonly KeyFrame[];
  readonly pictures: number;
  readonly durationMs: number;
  /** Null: its frames were not compared, or its writer crashed. */
  readonly motion: readonly MotionSpan[] | null;
  /** Where, in base64; null together with `motion`, and in files from before there were grids. */
  readonly grid: string | null;
  /** Null: it has none, or its writer crashed. */
  readonly still: StillMark | null;
  /** The hash of those bytes, hexadecimal. */
  readonly sha256: string;
}

/** The ids of our boxes, made once at random. */
const headId = Buffer.from('6f1d3c5a9be04c0f8f0a5d1c27a4e9b3', 'hex');
const tailId = Buffer.from('d0c2f4b85a5e4f7c9a3b61f07e2d9c14', 'hex');
const stillId = Buffer.from('4b8e07d95c1f4f0e9a6d83b2f1650c7e', 'hex');
const version = 1;
/** Of a box with an id of ours: size, kind, id. */
const boxHeadBytes = 24;
/** The box of a still: version, time, then (since version 2) the length of what it shows and that, then the JPEG. */
const stillHeadBytes = 8;
const stillVersion = 2;
/** More than a minute of 8K; a larger file is not a segment. */
export const maxSegmentBytes = 1024 * 1024 * 1024;

/** `20261121/22/20261121T225501123Z-<id>.mp4`: legible to people, unique, and in the order of time. */
export function segmentPath({ id, startedAtMs }: Pick<SegmentHead, 'id' | 'startedAtMs'>): string {
  const stamp = new Date(startedAtMs).toISOString().replace(/[-:.]/g, '');
  return `${stamp.slice(0, 8)}/${stamp.slice(9, 11)}/${stamp}-${id}.mp4`;
}

export const segmentName =
  /^\d{8}T\d{9}Z-([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\.mp4$/;

/** The box that says what the file is. */
export const headBox = (head: SegmentHead): Buffer => ownBox(headId, { version, ...head });

/** The box that says what moved in it, and where. */
export const tailBox = (motion: readonly MotionSpan[], grid: MotionGrid | null): Buffer =>
  ownBox(tailId, {
    version,
    motion,
    ...(grid && { grid: encodeGrid(grid).toString('base64') }),
  });

/** The box with its still. */
export function stillBox({ atMs, jpeg, shows }: Still): Buffer {
  const name = Buffer.from(shows, 'latin1');
  const head = Buffer.alloc(stillHeadBytes + 2);
  head.writeUInt32BE(stillVersion);
  head.writeUInt32BE(atMs, 4);
  head.writeUInt16BE(name.length, stillHeadBytes);
  return boxOf(stillId, Buffer.concat([head, name, jpeg]));
}

/** Everything after the last picture; the still comes last. Null: nothing is known. */
export function tailOf({ motion, grid, still }: SegmentTail): Buffer | null {
  const boxes = [...(motion ? [tailBox(motion, grid)] : []), ...(still ? [stillBox(still)] : [])];
  return boxes.length > 0 ? Buffer.concat(boxes) : null;
}

const ownBox = (id: Buffer, content: object): Buffer =>
  boxOf(id, Buffer.from(JSON.stringify(content)));

function boxOf(id: Buffer, content: Buffer): Buffer {
  const box = Buffer.alloc(boxHeadBytes);
  box.writeUInt32BE(boxHeadBytes + content.length);
  box.write('uuid', 4, 'latin1');
  id.copy(box, 8);
  return Buffer.concat([box, content]);
}

/** Null for a file that is not a segment of ours, or holds no complete picture. */
export async function readSegment(path: string): Promise<SegmentContents | null> {
  const data = await readFile(path);
  return data.length > maxSegmentBytes ? null : contentsOf(data);
}

/** Null for what is not a segment of ours, or holds no complete picture. */
export function contentsOf(data: Buffer): SegmentContents | null {
  let head: SegmentHead | null = null;
  let headBytes = 0;
  let bytes = 0;
  const keyFrames: KeyFrame[] = [];
  let pictures = 0;
  let firstTicks: number | null = null;
  let endTicks = 0;
  let motion: readonly MotionSpan[] | null = null;
  let grid: string | null = null;
  let still: StillMark | null = null;
  for (let at = 0; at + 8 <= data.length;) {
    const end = at + data.readUInt32BE(at);
    const kind = data.toString('latin1', at + 4, at + 8);
    if (end < at + 8 || end > data.length) break;
    if (kind === 'uuid') {
      const content = data.subarray(at + 8, end);
      head ??= ownContent(headId, content) as SegmentHead | null;
      const tail = ownContent(tailId, content) as Tail | null;
      if (tail) {
        ({ motion } = tail);
        grid = tail.grid ?? null;
        bytes = end;
      }
      still = stillIn(content);
      if (still) bytes = end;
    }
    if (kind === 'moof') {
      const fragmentEnd = end + 8 <= data.length ? end + data.readUInt32BE(end) : Infinity;
      const sample = pictureOf(data.subarray(at, end));
      if (fragmentEnd > data.length || !sample) break;
      firstTicks ??= sample.decodeTicks;
      if (pictures === 0) headBytes = at;
      if (sample.key) keyFrames.push({ offset: at, atMs: ms(sample.shownTicks - firstTicks) });
      pictures += 1;
      endTicks = sample.decodeTicks + sample.durationTicks;
      bytes = fragmentEnd;
      at = fragmentEnd;
    } else at = end;
  }
  if (!head || firstTicks === null) return null;
  const sha256 = createHash('sha256').update(data.subarray(0, bytes)).digest('hex');
  const durationMs = ms(endTicks - firstTicks);
  return { head, headBytes, bytes, keyFrames, pictures, durationMs, motion, grid, still, sha256 };
}

const ms = (ticks: number): number => Math.round((ticks * 1000) / ticksPerSecond);

/** The content of our box with that id; null for any other box. */
function ownContent(id: Buffer, content: Buffer): unknown {
  if (!content.subarray(0, 16).equals(id)) return null;
  try {
    const { version: written, ...said } = JSON.parse(content.toString('utf8', 16)) as {
      version: number;
    };
    return written === version ? said : null;
  } catch {
    return null;
  }
}

/** Null for any other box. */
function stillIn(content: Buffer): StillMark | null {
  const bytes = content.length - stillId.length - stillHeadBytes;
  if (bytes <= 2 || !content.subarray(0, stillId.length).equals(stillId)) return null;
  const written = content.readUInt32BE(stillId.length);
  const atMs = content.readUInt32BE(stillId.length + 4);
  if (written === version) return { atMs, bytes, shows: null };
  if (written !== stillVersion) return null;
  const from = stillId.length + stillHeadBytes + 2;
  const length = content.readUInt16BE(from - 2);
  const shows = content.toString('latin1', from, from + length);
  return bytes > 2 + length ? { atMs, bytes: bytes - 2 - length, shows } : null;
}

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
