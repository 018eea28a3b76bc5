/**
 * Names the privacy masks that pictures are painted with, and what is known of where they are on the sub-stream, so that
 * the server can tell a picture that hides what is hidden now from one that was painted before. Pure.
 */
import { createHash } from 'node:crypto';
import type { MediaZone } from '../protocol/messages.ts';
import type { Alignment } from '../protocol/stream-pair.ts';

/** The same for the same masks in the same places, whatever other zones there are. */
export function maskKey(zones: readonly MediaZone[], alignments: readonly Alignment[]): string {
  const masks = zones.filter(({ kind }) => kind === 'privacy').map(({ points }) => points);
  const places = alignments.map(({ pair, part: { x, y, width, height } }) => [
    pair,
    x,
    y,
    width,
    height,
  ]);
  const named = masks.length === 0 ? [] : [masks, places];
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url');
}
