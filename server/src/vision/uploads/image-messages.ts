/**
 * Messages between the server and an image host.
 *
 *   clean  body: the upload  -> body: full JPEG, thumbnail WebP, RGB of the full picture
 */
import type { Turn } from '../turns.ts';

export interface CleanRequest {
  readonly kind: 'clean';
  /** The picture is turned by it, after what its file says of itself. */
  readonly turn: Turn;
}

export type Refusal =
  'image_type' | 'image_too_many_pixels' | 'image_heic_too_many_pixels' | 'image_unreadable';

export type CleanReply =
  | { readonly refused: Refusal }
  | {
      readonly refused: null;
      readonly width: number;
      readonly height: number;
      readonly jpegBytes: number;
      readonly thumbnailBytes: number;
    };
