/**
 * Pictures to faces, for the rest of the server: keeps the vision hosts running, has chips embedded and
 * uploaded photos cleaned and looked at. It is not responsible for who a face belongs to (`faces`), nor
 * for the cameras' pictures: media hosts send those straight to the sockets named here (client.ts).
 * Tracker, votes and confidence are pure and lie beside it for `pipeline.ts`.
 */
import type { PictureFault } from '@nazar/contract/problem.ts';
import { Hosts, type HostHealth, type HostsOptions } from './hosts.ts';
import { Images } from './images.ts';
import { chipBytes, type DetectReply, type EmbedReply, type FaceView } from './messages.ts';
import type { Calibration, Gate } from './pack.ts';
import { chooseFace } from './photo.ts';
import { faultOf } from './quality.ts';
import { shippedPack } from './shipped-pack.ts';

export type { FaceView } from './messages.ts';
export type { HostHealth } from './hosts.ts';
export type { Calibration } from './pack.ts';
export { matchLimit, probability, tightening, type Comparison } from './confidence.ts';
export { distance } from './embed.ts';
export { inFractions } from './picture.ts';
export { cameraWidth } from './quality.ts';
export { minMargin, voteOf } from './votes.ts';

export type VisionOptions = HostsOptions;

export interface Embedded {
  /** Stored with each vector: those of different packs are never compared. */
  readonly pack: { readonly id: string; readonly version: string };
  readonly vectors: Float32Array[];
  /** Each chip as JPEG, 150 x 150. */
  readonly jpegs: Buffer[];
}

export interface PhotoFace {
  readonly view: FaceView;
  /** Why it does not serve what the photo was read for; null when it does. */
  readonly fault: PictureFault | null;
  /** RGB, chipSide x chipSide: what `embed` takes. */
  readonly chip: Buffer;
}

export interface Photo {
  /** Longest side at most 1600, upright, without metadata. */
  readonly jpeg: Buffer;
  /** Longest side at most 320. */
  readonly thumbnail: Buffer;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly PhotoFace[];
  /** The one that is meant, whether it serves or not; null where nobody can say. */
  readonly chosen: PhotoFace | null;
  /** The same, if it serves; else `fault` says why not. */
  readonly face: PhotoFace | null;
  readonly fault: PictureFault | null;
}

const embedTimeoutMs = 10_000;
const detectTimeoutMs = 10_000;

export class Vision implements AsyncDisposable {
  readonly #hosts: Hosts;
  readonly #images: Images;

  constructor(options: VisionOptions) {
    this.#hosts = new Hosts(options);
    this.#images = new Images(options);
  }

  /** What distances between vectors of this pack mean. */
  get calibration(): Calibration {
    return shippedPack.embedder.calibration;
  }

  /** Where media hosts reach the vision hosts. */
  get sockets(): readonly string[] {
    return this.#hosts.sockets;
  }

  /** `chips`: `count` of them one after another. Problem `unavailable` when no host can be reached. */
  async embed(chips: Buffer, count: number, signal?: AbortSignal): Promise<Embedded> {
    const request = { kind: 'embed', count } as const;
    const { head, body } = await this.#hosts.ask<EmbedReply>(
      request,
      chips,
      embedTimeoutMs,
      signal,
    );
    const vectorBytes = head.dimensions * 4;
    const vectors = Array.from({ length: count }, (_, i) =>
      floats(body.subarray(i * vectorBytes, (i + 1) * vectorBytes)),
    );
    let offset = count * vectorBytes;
    const jpegs = head.jpegBytes.map((bytes) => {
      offset += bytes;
      return Buffer.from(body.subarray(offset - bytes, offset));
    });
    return { pack: head.pack, vectors, jpegs };
  }

  /** Cleans an upload and finds who is on it. Problems: image_type, image_too_large, ... (images.ts). */
  async readPhoto(
    bytes: Buffer,
    { purpose }: { purpose: keyof typeof gates },
    signal?: AbortSignal,
  ): Promise<Photo> {
    const { jpeg, thumbnail, rgb, width, height } = await this.#images.clean(bytes, signal);
    const request = { kind: 'detect', width, height } as const;
    const seen = await this.#hosts.ask<DetectReply>(request, rgb, detectTimeoutMs, signal);
    const gate = gates[purpose];
    const faces = seen.head.faces.map((view, i) => ({
      view,
      fault: faultOf(view, gate),
      chip: Buffer.from(seen.body.subarray(i * chipBytes, (i + 1) * chipBytes)),
    }));
    const { face, fault } = chooseFace(seen.head.faces, gate, { width, height });
    const chosen = face === null ? null : faces[face]!;
    const meant = fault === null ? chosen : null;
    return { jpeg, thumbnail, width, height, faces, chosen, face: meant, fault };
  }

  health(): Promise<HostHealth[]> {
    return this.#hosts.health();
  }

  /** Leaves the vision hosts running for the next server. */
  async release(): Promise<void> {
    await Promise.all([this.#hosts.release(), this.#images[Symbol.asyncDispose]()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#hosts[Symbol.asyncDispose](), this.#images[Symbol.asyncDispose]()]);
  }
}

/** A photo somebody is to be known by must be better than a picture that is only to be compared. */
const gates = {
  enrol: shippedPack.quality.enrol,
  recognise: shippedPack.quality.recognise,
} satisfies Record<string, Gate>;

/** A copy, because the body's bytes need not be aligned to four. */
function floats(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
