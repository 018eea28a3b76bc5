/**
 * Names the privacy masks that pictures are painted with, so that the server can tell a picture that hides what is hidden
 * now from one that was painted before. Pure.
 */
import { createHash } from 'node:crypto';
import type { MediaZone } from '../protocol/messages.ts';

/** The same for the same masks, whatever other zones there are. */
export function maskKey(zones: readonly MediaZone[]): string {
  const masks = zones.filter(({ kind }) => kind === 'privacy').map(({ points }) => points);
  return createHash('sha256').update(JSON.stringify(masks)).digest('base64url');
}
