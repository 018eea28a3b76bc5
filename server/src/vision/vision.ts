/**
 * Pictures to faces, for the rest of the server: keeps the vision hosts running, has chips embedded, and has uploaded
 * photos cleaned and their faces detected. It is not responsible for whose face it is (`faces`), nor for the cameras'
 * pictures: media hosts send those straight to the sockets named here (client.ts). Tracker, votes and confidence are
 * pure and lie beside it for `pipeline.ts`.
 */
import type { Attribute } from '@nazar/contract/attributes.ts';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import { Topic } from '#lib/topic.ts';
import { vectorOf } from '#lib/vectors.ts';
import type { Point } from '#lib/geometry.ts';
import { meanFace, templateOf } from './align.ts';
import type { FaceEstimate } from './attributes/estimate.ts';
import { Hosts, type HostHealth, type HostsOptions } from './hosts.ts';
import { Images } from './uploads/images.ts';
import {
  damagedFiles,
  installedPacks,
  modelsDir,
  packFingerprint,
  shipped,
  type InstalledPack,
} from './packs/installed-packs.ts';
import { KeptChips } from './kept-chips.ts';
import type { AttributesReply, EmbedReply, Metered, PhotoReply } from './messages.ts';
import { packKey, type Calibration, type Pack, type PackKey } from './packs/pack.ts';
import { readPhoto, type Photo, type Wanted } from './read-photo.ts';

export type { FaceView } from './messages.ts';
export { asAttributes, type FaceEstimate } from './attributes/estimate.ts';
export type { HostHealth } from './hosts.ts';
export {
  addedModelsDir,
  installedPacks,
  madeAtSetUp,
  modelsDir,
  preferredPackId,
  wholePack,
} from './packs/installed-packs.ts';
export { distance } from './embed.ts';
export { cameraWidth } from './quality.ts';
export type { Photo, PhotoFace, References, Wanted } from './read-photo.ts';

export interface VisionOptions extends HostsOptions {
  /** Folders of packs; default: the shipped one alone. */
  readonly packDirs?: readonly string[];
  /** The pack in use; default: the shipped one. */
  readonly packId?: string;
}

/** A picture of a face as it is stored. */
export interface StoredChip {
  readonly jpeg: Uint8Array;
  /** `id@version` of the pack that made it. */
  readonly pack: string;
  /** The stored photo it was cropped from; null or absent: there is none. */
  readonly photo?: Uint8Array | null;
}

export interface Embedded {
  /** Stored with each vector: those of different packs are never compared. */
  readonly pack: { readonly id: string; readonly version: string };
  readonly vectors: Float32Array[];
  /** Each chip as JPEG, 150 x 150. */
  readonly jpegs: Buffer[];
  /** The processor time that it took. */
  readonly cpuMs: number;
}

const embedTimeoutMs = 10_000;
/** A photo takes 0.2 to 0.5 s on an idle machine, and many times that where cameras keep the hosts busy. */
const detectTimeoutMs = 30_000;
/** The first time takes 0.1 s longer: the networks are loaded. */
const attributesTimeoutMs = 5_000;

export class Vision implements AsyncDisposable {
  /** Published when another pack comes into use, or the same with another description. */
  readonly served: Topic<{ readonly pack: Pack }>;
  readonly #options: VisionOptions;
  readonly #hosts: Hosts;
  readonly #images: Images;
  readonly #keptChips: KeptChips;
  readonly #stop = new AbortController();
  #pack: InstalledPack;
  #packs: readonly InstalledPack[];
  /** The packs used earlier in this run: requests that began with them are still being answered. */
  readonly #before: InstalledPack[] = [];
  /** The end of the queue of changes. */
  #lastUse: Promise<unknown> = Promise.resolve();

  /** `packs`: the installed ones. Throws a Refusal for a pack that is not installed. */
  constructor(options: VisionOptions, packs: readonly InstalledPack[]) {
    this.#options = options;
    this.#packs = packs;
    this.#pack = this.#chosen(options.packId ?? shipped.id);
    this.served = new Topic((error) =>
      options.log.error({ err: error }, 'reader of vision.served failed'),
    );
    this.#hosts = new Hosts(options, this.#pack);
    this.#images = new Images(options);
    this.#keptChips = new KeptChips(options);
  }

  /** Throws a Refusal for a pack that is not installed. */
  static async open(options: VisionOptions): Promise<Vision> {
    return new Vision(options, await packsOn(options));
  }

  /** The pack in use. */
  get pack(): Pack {
    return this.#pack;
  }

  /** The packs that may be used, as they were last read. */
  get packs(): readonly Pack[] {
    return this.#packs;
  }

  /** Reads the packs as they lie on the disk now: commands add some while the server runs. */
  async readPacks(): Promise<void> {
    this.#packs = await packsOn(this.#options);
  }

  /** Returns what distances between vectors of this pack (`id@version`) mean; null: it is not installed. */
  calibrationOf(pack: string): Calibration | null {
    const known = [this.#pack, ...this.#before].find((it) => packKey(it) === pack);
    return known?.embedder.calibration ?? null;
  }

  /** The sockets at which media hosts reach the vision hosts. */
  get sockets(): readonly string[] {
    return this.#hosts.sockets;
  }

  /**
   * `chips`: `count` of them one after another; `pack`: the pack that made them. Problem `unavailable` when no host
   * of this pack can be reached.
   */
  async embed(
    chips: Buffer,
    count: number,
    pack: PackKey,
    signal?: AbortSignal,
  ): Promise<Embedded> {
    const request = { kind: 'embed', count, pack } as const;
    const asking = { pack, timeoutMs: embedTimeoutMs, signal };
    const { head, body } = await this.#hosts.ask<Metered<EmbedReply>>(request, chips, asking);
    const bytesEach = head.dimensions * 4;
    const vectors = Array.from({ length: count }, (_, i) =>
      vectorOf(body.subarray(i * bytesEach, (i + 1) * bytesEach)),
    );
    let offset = count * bytesEach;
    const jpegs = head.jpegBytes.map((bytes) => {
      offset += bytes;
      return Buffer.from(body.subarray(offset - bytes, offset));
    });
    return { pack: head.pack, vectors, jpegs, cpuMs: head.cpuMs };
  }

  /**
   * Estimates the attributes of the face on a chip (JPEG, made by that pack). Problem `unavailable` when no host of
   * this pack can be reached.
   */
  async attributes(
    chip: Uint8Array,
    wanted: readonly Attribute[],
    pack: PackKey,
    signal?: AbortSignal,
  ): Promise<FaceEstimate> {
    const request = { kind: 'attributes', wanted, pack } as const;
    const asking = { pack, timeoutMs: attributesTimeoutMs, signal };
    const { head } = await this.#hosts.ask<Metered<AttributesReply>>(request, chip, asking);
    const { age, man, emotion } = head;
    return { age, man, emotion };
  }

  /**
   * Cleans an upload, puts it upright, finds its faces and chooses the one that is meant. Problems: image_type, ...
   * (uploads/images.ts), face_index_unknown.
   */
  readPhoto(bytes: Buffer, wanted: Wanted, signal?: AbortSignal): Promise<Photo> {
    const pack = this.#pack;
    const key = packKey(pack);
    const asking = { pack: key, timeoutMs: detectTimeoutMs, signal };
    return readPhoto(bytes, wanted, {
      images: this.#images,
      pack,
      detect: (request, rgb) => this.#hosts.ask<PhotoReply>(request, rgb, asking),
      embed: async (chips, count) => (await this.embed(chips, count, key, signal)).vectors,
      signal,
    });
  }

  /** Reads all files of the pack. Throws model_pack_not_found, model_pack_damaged. */
  async mustBeWhole(packId: string): Promise<void> {
    const [damaged] = await damagedFiles(await this.#find(packId));
    if (damaged !== undefined) throw new Problem('model_pack_damaged', { file: damaged });
  }

  /**
   * Restarts the vision hosts with this pack, one after another; resolves when all use it. If one cannot, the pack
   * before is used again. Vectors from then on are of this pack, so the people to compare with must have some first
   * (reembed). Throws model_pack_not_found, model_pack_damaged and unavailable.
   */
  use(packId: string): Promise<void> {
    const mine = this.#lastUse.then(() => this.#use(packId));
    this.#lastUse = mine.catch(() => undefined);
    return mine;
  }

  /**
   * Returns vectors of another installed pack: of the face as that pack finds and crops it on the photo, else from
   * the chip, aligned again; null where no face is found on either. This runs in a process of its own, so that
   * detection for cameras goes on. Throws model_pack_not_found, unavailable.
   */
  async reembed(packId: string, chips: readonly StoredChip[]): Promise<(Float32Array | null)[]> {
    const pack = await this.#find(packId);
    const packs = this.#packs;
    return await this.#keptChips.embed(
      pack,
      chips.map((chip) => {
        return { jpeg: chip.jpeg, points: pointsOn(chip, packs), photo: chip.photo ?? null };
      }),
    );
  }

  health(): Promise<HostHealth[]> {
    return this.#hosts.health();
  }

  /** Leaves the vision hosts running for the next server. */
  async release(): Promise<void> {
    await this.#endWork();
    await this.#hosts.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endWork();
    await this.#hosts[Symbol.asyncDispose]();
  }

  async #endWork(): Promise<void> {
    this.#stop.abort();
    await Promise.all([
      this.#images[Symbol.asyncDispose](),
      this.#keptChips[Symbol.asyncDispose](),
      this.#lastUse,
    ]);
  }

  async #use(packId: string): Promise<void> {
    const pack = await this.#find(packId);
    const before = this.#pack;
    if (packFingerprint(pack) === packFingerprint(before)) return;
    await this.mustBeWhole(packId);
    try {
      await this.#hosts.use(pack, this.#stop.signal, () => this.#serve(pack));
    } catch (error) {
      if (this.#stop.signal.aborted) throw error;
      await this.#hosts.use(before, this.#stop.signal, () => this.#serve(before));
      throw error;
    }
    this.#serve(pack);
  }

  /** Called with the first host that serves it: what the others return meanwhile is of a pack no longer in use. */
  #serve(pack: InstalledPack): void {
    if (pack === this.#pack) return;
    this.#before.push(this.#pack);
    this.#pack = pack;
    this.served.publish({ pack });
  }

  async #find(packId: string): Promise<InstalledPack> {
    await this.readPacks();
    const pack = this.#packs.find(({ id }) => id === packId);
    if (!pack) throw new Problem('model_pack_not_found', { pack: packId });
    return pack;
  }

  #chosen(packId: string): InstalledPack {
    const pack = this.#packs.find(({ id }) => id === packId);
    if (pack) return pack;
    // The shipped pack is known even where set-up has not made its files.
    if (packId === shipped.id) return shipped;
    throw new Refusal(
      `The models "${packId}", which serve, are not on this machine; add them again (npm run models -- add FOLDER).`,
    );
  }
}

const packsOn = ({ packDirs = [modelsDir] }: VisionOptions): Promise<InstalledPack[]> =>
  installedPacks(...packDirs);

/**
 * Returns where on a chip its pack puts the five points, in fractions; for a pack that is gone, where the mean face
 * has them.
 */
function pointsOn({ pack }: StoredChip, packs: readonly InstalledPack[]): Point[] {
  const chipPack = packs.find((it) => packKey(it) === pack);
  const { side, five } = chipPack ? templateOf(chipPack.embedder) : meanFace;
  return five.map(([x, y]) => [x / side, y / side]);
}
