/**
 * Our own boxes in a file of a recording. A file holds the initialisation segment, a box that says what this is, a
 * fragment for each picture and, once it is complete, a box that says what moved and one with a small still, whose JPEG
 * ends with the file: one read finds it, and it goes where its file goes.
 */
import { encodeGrid, type MotionGrid } from '../protocol/motion-grid.ts';
import type {
  MotionSpan,
  SegmentHead,
  SegmentTail,
  Still,
  StillMark,
} from '../protocol/segments.ts';

interface SavedTail {
  readonly motion: readonly MotionSpan[];
  /** Base64; absent in files from before there were grids. */
  readonly grid?: string;
}

/** The ids of our boxes, made once at random. */
const headId = Buffer.from('6f1d3c5a9be04c0f8f0a5d1c27a4e9b3', 'hex');
const tailId = Buffer.from('d0c2f4b85a5e4f7c9a3b61f07e2d9c14', 'hex');
const stillId = Buffer.from('4b8e07d95c1f4f0e9a6d83b2f1650c7e', 'hex');
const version = 1;
/** The head of a box with an id of ours: size, kind, id. */
const boxHeadBytes = 24;
/** The box of a still: version, time, then (since version 2) the length of what it shows and that, then the JPEG. */
const stillHeadBytes = 8;
const stillVersion = 2;

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

/** What the content of a box says of the file; null for any other box. */
export const headIn = (content: Buffer): SegmentHead | null =>
  ownContent(headId, content) as SegmentHead | null;

/** What the content of a box says of what moved; null for any other box. */
export const tailIn = (content: Buffer): SavedTail | null =>
  ownContent(tailId, content) as SavedTail | null;

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

/** What the content of a box says of a still; null for any other box. */
export function stillIn(content: Buffer): StillMark | null {
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
