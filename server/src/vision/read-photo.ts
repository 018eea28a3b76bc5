/**
 * From an upload to its faces: the photo is cleaned, put upright and analyzed, and the face that is meant is chosen.
 * Nothing is stored.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Size } from '#lib/geometry.ts';
import type { Message } from '#lib/ipc.ts';
import { Problem } from '#lib/problem.ts';
import { chipOf } from './chip.ts';
import { distance } from './embed.ts';
import type { DetectRequest, FaceView, PhotoReply } from './messages.ts';
import { packKey, type Pack, type PackKey } from './packs/pack.ts';
import { candidatesOf, chooseFace, chooseKnownFace, photoFault, type Choice } from './photo.ts';
import { uprightest, type Turn } from './turns.ts';
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
  /** The largest first; the same in the same order whenever the same bytes are read with the same pack. */
  readonly faces: readonly PhotoFace[];
  /** The face that is meant, whether it is usable or not; null where that is unclear. */
  readonly chosen: PhotoFace | null;
  /** The same face, if it is usable; else `fault` says why not. */
  readonly face: PhotoFace | null;
  readonly fault: PictureFault | null;
}

/** Vectors of the person whom a photo is to show, by one pack. */
export interface References {
  readonly pack: PackKey;
  readonly vectors: readonly Float32Array[];
}

/** What a photo is read for, for whom, and what is known of whom it is to show. */
export interface Wanted {
  readonly purpose: keyof Pack['quality'];
  /** The account that waits for it: accounts take turns. `ownWork`: the server reads it for itself. */
  readonly account: string;
  /** The face that a user chose, by its index among the faces; absent or null: no face was chosen. */
  readonly faceIndex?: number | null;
  /** Absent or without vectors: nothing is known of them. */
  readonly references?: References | null;
}

export interface PhotoReading {
  readonly images: Pick<Images, 'clean'>;
  readonly pack: Pack;
  readonly detect: (request: DetectRequest, rgb: Uint8Array) => Promise<Message<PhotoReply>>;
  /** Returns a vector of each of so many chips, which lie one after another. */
  readonly embed: (chips: Buffer, count: number) => Promise<readonly Float32Array[]>;
  readonly signal?: AbortSignal | undefined;
}

/** Throws image_type, image_too_large, ... (uploads/images.ts), face_index_unknown and unavailable. */
export async function readPhoto(
  bytes: Buffer,
  wanted: Wanted,
  reading: PhotoReading,
): Promise<Photo> {
  const { images, pack, detect, signal } = reading;
  const { purpose, account } = wanted;
  const gate = pack.quality[purpose];
  const asSent = await images.clean(bytes, { account, signal });
  const seen = await uprightest(async (turn) => {
    const { width, height } = asSent;
    const { head, body } = await detect({ kind: 'detect', width, height, turn }, asSent.rgb);
    return { turn, uprightness: head.uprightness, faces: head.faces, chips: body };
  });
  const { turn, faces: views, chips } = seen;
  // What is stored is turned with the photo. Its pixels are made again from the upload: few photos are turned.
  const { jpeg, thumbnail, width, height } =
    turn === 0 ? asSent : await images.clean(bytes, { account, signal, turn });
  const faces = views.map((view) => ({
    view,
    fault: photoFault(view, gate),
    chip: Buffer.from(chipOf(view, views, chips)!),
  }));
  const { face, fault } = await choice(faces, { width, height }, wanted, reading);
  const chosen = face === null ? null : faces[face]!;
  const meant = fault === null ? chosen : null;
  return { jpeg, thumbnail, width, height, turned: turn, faces, chosen, face: meant, fault };
}

/** A user's choice holds; else the face that fits the person, where something is known of them. */
async function choice(
  faces: readonly PhotoFace[],
  picture: Size,
  { purpose, faceIndex, references }: Wanted,
  { pack, embed }: PhotoReading,
): Promise<Choice> {
  const gate = pack.quality[purpose];
  if (faceIndex !== undefined && faceIndex !== null) {
    const face = faces[faceIndex];
    if (!face) throw new Problem('face_index_unknown', { field: 'face_index' });
    return { face: faceIndex, fault: face.fault };
  }
  const views = faces.map(({ view }) => view);
  const candidates = new Set(candidatesOf(views, gate, picture));
  const known = references?.pack === packKey(pack) ? references.vectors : [];
  if (known.length === 0 || candidates.size < 2) return chooseFace(views, gate, picture);
  const compared = faces.filter(({ view }) => candidates.has(view) && view.fault === null);
  const chips = Buffer.concat(compared.map(({ chip }) => chip));
  const vectors = compared.length > 0 ? await embed(chips, compared.length) : [];
  const likeness = new Map(
    compared.map(({ view }, i) => [
      view,
      Math.min(...known.map((vector) => distance(vector, vectors[i]!))),
    ]),
  );
  return chooseKnownFace(views, gate, picture, likeness, pack.embedder.calibration);
}
