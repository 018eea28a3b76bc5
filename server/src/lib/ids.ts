/**
 * UUIDv7 (RFC 9562): ids that sort by the time they were made, so that B-tree inserts stay at the right
 * edge, and that any writer can make without asking the database.
 */
import { randomBytes } from 'node:crypto';

/** `atMs`: milliseconds since 1970, UTC. 74 bits are random. */
export function uuidv7(atMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** Below every id made at or after that moment, above every earlier one. */
export function uuidFloor(atMs: number): string {
  const hex = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
