/**
 * Where something moved in a segment: a grid of 16x9 cells over the camera's upright main picture, for each second or
 * so in which something did. It stands in the file, and in the index, where times are looked for by place. Pure.
 *
 * Bytes: the quarter turns of the picture (and 4 where the cells are those of the main picture, 8 where they are of
 * another one, neither in files from before that was written down), then for each time its beginning and its length in tenths of a second (2 and
 * 1), and the cells (18), a bit each, row by row. Times are rounded outwards, so that none is lost.
 */
import type { Rotation } from './rotation.ts';

export const gridColumns = 16;
export const gridRows = 9;
export const gridCells = gridColumns * gridRows;
const cellBytes = gridCells / 8;
const entryBytes = 3 + cellBytes;
const tenthMs = 100;
const maxFrom = 0xffff;
const maxLength = 0xff;
const mainBit = 4;
const otherBit = 8;

/** A bit for each cell, row by row, the highest bit of a byte first. */
export type Cells = Uint8Array;

/** Cells in which something moved, in a time counted from the start of the segment. */
export interface MovedCells {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly cells: Cells;
}

export interface MotionGrid {
  /** By how much the recorded picture is turned clockwise. */
  readonly rotation: Rotation;
  /**
   * Whether the cells are those of the main picture, or of a sub-stream that could not be aligned with it; null in files
   * from before that was written down.
   */
  readonly isOfMain: boolean | null;
  readonly moved: readonly MovedCells[];
}

export const noCells = (): Uint8Array => new Uint8Array(cellBytes);
/** The whole picture. */
export const allCells: Cells = new Uint8Array(cellBytes).fill(0xff);

export function addCell(cells: Uint8Array, column: number, row: number): void {
  const place = row * gridColumns + column;
  cells[place >> 3]! |= 0x80 >> (place & 7);
}

export function addCells(cells: Uint8Array, more: Cells): void {
  for (const [index, byte] of more.entries()) cells[index]! |= byte;
}

export const meet = (a: Cells, b: Cells): boolean =>
  a.some((byte, index) => (byte & b[index]!) !== 0);

/** As SQL writes them: `B'0101...'`. */
export const bitsOf = (cells: Cells): string =>
  Array.from(cells, (byte) => byte.toString(2).padStart(8, '0')).join('');

export function encodeGrid({ rotation, isOfMain, moved }: MotionGrid): Buffer {
  const bytes = Buffer.alloc(1 + moved.length * entryBytes);
  bytes[0] = rotation / 90 + (isOfMain === null ? 0 : isOfMain ? mainBit : otherBit);
  for (const [index, { fromMs, untilMs, cells }] of moved.entries()) {
    const at = 1 + index * entryBytes;
    const from = Math.min(maxFrom, Math.floor(fromMs / tenthMs));
    bytes.writeUInt16BE(from, at);
    bytes[at + 2] = Math.min(maxLength, Math.max(1, Math.ceil(untilMs / tenthMs) - from));
    bytes.set(cells, at + 3);
  }
  return bytes;
}

/** Null for what is no grid. */
export function decodeGrid(bytes: Buffer): MotionGrid | null {
  const count = (bytes.length - 1) / entryBytes;
  const first = bytes[0] ?? 0xff;
  const picture = first & ~3;
  if (!Number.isInteger(count) || ![0, mainBit, otherBit].includes(picture)) return null;
  const moved = Array.from({ length: count }, (_, index): MovedCells => {
    const at = 1 + index * entryBytes;
    const fromMs = bytes.readUInt16BE(at) * tenthMs;
    const untilMs = fromMs + bytes[at + 2]! * tenthMs;
    return { fromMs, untilMs, cells: bytes.subarray(at + 3, at + entryBytes) };
  });
  const rotation = ((first & 3) * 90) as Rotation;
  return { rotation, isOfMain: picture === 0 ? null : picture === mainBit, moved };
}

/** All cells in which something moved at some time. */
export function allOf({ moved }: MotionGrid): Cells {
  const all = noCells();
  for (const { cells } of moved) addCells(all, cells);
  return all;
}
