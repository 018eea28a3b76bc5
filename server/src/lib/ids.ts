/**
 * UUIDv7 (RFC 9562): ids that sort by creation time, so that B-tree inserts stay at the right
 * edge, and that any writer can generate without a query to the database.
 */
import { randomBytes } from 'node:crypto';

/** The last counter value for each of the latest milliseconds: an id may also carry the time when something began. */
const numbers = new Map<number, number>();
const momentsKept = 8;

/**
 * `atMs`: milliseconds since 1970, UTC. Within one millisecond, ids of this process sort by the order in which they
 * were made: 26 bits count on from a random number, 48 are random.
 */
export function uuidv7(atMs: number): string {
  const bytes = randomBytes(16);
  const number = (numbers.get(atMs) ?? bytes.readUInt32BE(6) >>> 7) + 1;
  remember(atMs, number);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | (number >>> 14), 6);
  bytes.writeUInt16BE(0x8000 | (number & 0x3fff), 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

function remember(atMs: number, number: number): void {
  numbers.delete(atMs);
  numbers.set(atMs, number);
  if (numbers.size > momentsKept) numbers.delete(numbers.keys().next().value!);
}

/** Below every id made at or after that moment, above every earlier one. */
export function uuidFloor(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
