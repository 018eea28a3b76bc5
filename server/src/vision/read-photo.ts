/**
 * From an upload to its faces: the photo is cleaned, put upright and looked at, and the face that is meant is chosen.
 * Nothing is stored.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Message } from '#lib/ipc.ts';
import { chipOf } from './chip.ts';
import type { DetectRequest, FaceView, PhotoReply } from './messages.ts';
import type { Pack } from './packs/pack.ts';
import { chooseFace, photoFault } from './photo.ts';
import { uprightest, type Turn } from './turns.ts';
import type { Clean } from './uploads/clean.ts';
import type { Images } from './uploads/images.ts';

export interface PhotoFace {
  readonly view: FaceView;
  /** Why the face cannot be used for what the photo was read for; null when it can. */
  readonly fault: PictureFault | null;
  /** RGB, in the size that its pack wants: what `embed` takes. */
  readonly chip: Buffer;
}

export interface Photo {
  /** Longest side at most 1600, upright, without metadata. */
  readonly jpeg: Buffer;
  /** Longest side at most 320. */
  readonly thumbnail: Buffer;
  readonly width: number;
  readonly height: number;
  /** By how much the photo was turned to stand upright; faces and sizes are those of the turned one. */
  readonly turned: Turn;
  readonly faces: readonly PhotoFace[];
  /** The face that is meant, whether it is usable or not; null where that is unclear. */
  readonly chosen: PhotoFace | null;
  /** The same face, if it is usable; else `fault` says why not. */
  readonly face: PhotoFace | null;
  readonly fault: PictureFault | null;
}

export interface PhotoReading {
  readonly images: Pick<Images, 'clean'>;
  readonly quality: Pack['quality'];
  readonly detect: (request: DetectRequest, rgb: Uint8Array) => Promise<Message<PhotoReply>>;
  readonly signal?: AbortSignal | undefined;
}

/** Throws image_type, image_too_large, ... (uploads/images.ts) and unavailable. */
export async function readPhoto(
  bytes: Buffer,
  purpose: keyof Pack['quality'],
  { images, quality, detect, signal }: PhotoReading,
): Promise<Photo> {
  const gate = quality[purpose];
  const asSent = await images.clean(bytes, signal);
  const seen = await uprightest(async (turn) => {
    const { width, height } = asSent;
    const { head, body } = await detect({ kind: 'detect', width, height, turn }, asSent.rgb);
    return { turn, uprightness: head.uprightness, faces: head.faces, chips: body };
  });
  const { turn, faces: views, chips } = seen;
  const { jpeg, thumbnail, width, height } = await inTurn(images, bytes, asSent, turn, signal);
  const faces = views.map((view) => ({
    view,
    fault: photoFault(view, gate),
    chip: Buffer.from(chipOf(view, views, chips)!),
  }));
  const { face, fault } = chooseFace(views, gate, { width, height });
  const chosen = face === null ? null : faces[face]!;
  const meant = fault === null ? chosen : null;
  return { jpeg, thumbnail, width, height, turned: turn, faces, chosen, face: meant, fault };
}

/** What is stored is turned with the photo. Its pixels are made again from the upload: few photos are turned. */
function inTurn(
  images: Pick<Images, 'clean'>,
  bytes: Buffer,
  asSent: Clean,
  turn: Turn,
  signal: AbortSignal | undefined,
): Clean | Promise<Clean> {
  return turn === 0 ? asSent : images.clean(bytes, signal, turn);
}
