/**
 * Messages between the server and a chip host, which has the networks of one pack.
 *
 *   embed  body: chips as JPEG, one after another, each followed by its photo if that is stored
 *                                                  -> body: vectors (float32 LE) of those with a face on them
 */
import type { Point } from '#lib/geometry.ts';

export interface KeptChip {
  /** Length of its JPEG. */
  readonly bytes: number;
  /** Where its pack puts the five points of a face, in fractions of the chip's sides. */
  readonly points: readonly Point[];
  /** Length of the JPEG of the photo it was cropped from, which follows; 0: there is none. */
  readonly photoBytes: number;
}

export interface EmbedKeptRequest {
  readonly kind: 'embed';
  readonly chips: readonly KeptChip[];
}

export interface EmbedKeptReply {
  /** For each chip, whether its vector is in the body. */
  readonly found: readonly boolean[];
}
