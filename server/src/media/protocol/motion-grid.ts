/**
 * Where something moved in a segment: a grid of 16x9 cells over the camera's upright main picture, for each second or
 * so in which something did. It is in the file, and in the index, where times are searched by place. Pure.
 *
 * Bytes: the quarter turns of the picture (and 4 where the cells are those of the main picture, 8 where they are of
 * another one, neither in files from before that was written down; the higher four bits: how often the unit of time is
 * doubled), then for each time its beginning and its length in that unit (2 and 1), and the cells (18), a bit each, row by
 * row. The unit is a tenth of a second, and doubled until the last beginning fits: from 1 h 49 min on, which a segment
 * lasts whose camera sends no key frame in that time. Times are rounded outwards, so that none is lost.
 */
import type { Rotation } from './rotation.ts';

export const gridColumns = 16;
export const gridRows = 9;
export const gridCells = gridColumns * gridRows;
const cellBytes = gridCells / 8;
const entryBytes = 3 + cellBytes;
const unitMs = 100;
const maxFrom = 0xffff;
const maxLength = 0xff;
const mainBit = 4;
const otherBit = 8;
const doubledAt = 4;
const maxDoubled = 15;

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
  const doubled = doubledFor(moved);
  const entries = moved.flatMap((one) => entriesOf(one, unitMs << doubled));
  const bytes = Buffer.alloc(1 + entries.length * entryBytes);
  const picture = isOfMain === null ? 0 : isOfMain ? mainBit : otherBit;
  bytes[0] = rotation / 90 + picture + (doubled << doubledAt);
  for (const [index, { from, length, cells }] of entries.entries()) {
    const at = 1 + index * entryBytes;
    bytes.writeUInt16BE(from, at);
    bytes[at + 2] = length;
    bytes.set(cells, at + 3);
  }
  return bytes;
}

/** How often the unit is doubled for the end of the last time to fit. */
function doubledFor(moved: readonly MovedCells[]): number {
  const lastMs = Math.max(0, ...moved.map(({ untilMs }) => untilMs));
  let doubled = 0;
  while (doubled < maxDoubled && lastMs > maxFrom * (unitMs << doubled)) doubled += 1;
  return doubled;
}

interface Entry {
  /** In the unit of the grid. */
  readonly from: number;
  readonly length: number;
  readonly cells: Cells;
}

/** Several, one after another, where it lasts longer than one can. */
function entriesOf({ fromMs, untilMs, cells }: MovedCells, unit: number): Entry[] {
  const begin = Math.min(maxFrom, Math.floor(fromMs / unit));
  const end = Math.min(maxFrom, Math.max(begin + 1, Math.ceil(untilMs / unit)));
  const entries: Entry[] = [];
  for (let from = begin; from < end || entries.length === 0; from += maxLength) {
    entries.push({ from, length: Math.min(maxLength, Math.max(1, end - from)), cells });
  }
  return entries;
}

/** Null for what is no grid. */
export function decodeGrid(bytes: Buffer): MotionGrid | null {
  const count = (bytes.length - 1) / entryBytes;
  const first = bytes[0] ?? 0xff;
  const picture = first & (mainBit | otherBit);
  const unit = unitMs << (first >> doubledAt);
  if (!Number.isInteger(count) || picture === (mainBit | otherBit)) return null;
  const moved = Array.from({ length: count }, (_, index): MovedCells => {
    const at = 1 + index * entryBytes;
    const fromMs = bytes.readUInt16BE(at) * unit;
    const untilMs = fromMs + bytes[at + 2]! * unit;
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
