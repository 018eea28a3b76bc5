/**
 * Two packs that read made-up pictures (`aPicture`): one that everyone is enrolled with, and one of another size.
 * The vector of an appearance has its single 1 at another place in each, so that vectors of one never pass for the
 * other's.
 */
import { Problem } from '#lib/problem.ts';
import type { Vision } from '#vision/vision.ts';
import type { Calibration } from '#vision/packs/pack.ts';
import type { PackVision } from '#system/model-change.ts';
import { testPack } from './world.ts';

export const oldPack = { ...testPack, license: 'MIT' };
export const newPack = { id: 'new-pack', version: '3', license: 'Apache-2.0' };
export const newPackName = `${newPack.id}@${newPack.version}`;
const dimensions = { old: 128, new: 512 };

/** The vector that the new pack makes of an appearance. */
export function aNewVector(look: number): Float32Array {
  const vector = new Float32Array(dimensions.new);
  vector[(look * 7 + 3) % vector.length] = 1;
  return vector;
}

export interface TwoPacks extends PackVision {
  /** As the modules take it. */
  readonly vision: Vision;
  /** Appearances whose chips the new pack cannot read, though it could if they were cropped again. */
  readonly badlyCropped: Set<number>;
  /** Appearances that it cannot read however they are cropped. */
  readonly unreadable: Set<number>;
  /** The packs of the chips that it was shown, and who is on the photo that came with one. */
  readonly shown: {
    readonly look: number;
    readonly pack: string;
    readonly photo: number | null;
  }[];
  /** Appearances that these packs refuse on photos, as turned away. */
  readonly turned: Set<number>;
  readonly refusedBy: Set<string>;
  /** Photos that the pack in use checked, and what is called before each. */
  readonly photos: number[];
  beforePhoto: () => void;
  /** Packs with a changed file. */
  readonly damaged: Set<string>;
  /** Called before each batch is read. */
  beforeBatch: () => Promise<void> | void;
  /** Called before hosts are started again. */
  beforeUse: () => unknown;
  /** The packs of this node. */
  packs: PackVision['packs'];
}

/** Vectors of different appearances are 1.4 apart. */
const calibration: Calibration = {
  far1e2: 0.63,
  far1e3: 0.585,
  openSet: 0.54,
  strict: 0.5,
  margin: 0.06,
  split: 0.55,
  logistic: [15.95, -27.5],
};

const again = 'again: ';
const lookOf = (jpeg: Uint8Array): number =>
  Number(/picture of (\d+)/.exec(Buffer.from(jpeg).toString('latin1'))![1]);

export function twoPacks(): TwoPacks {
  let serving: PackVision['pack'] = oldPack;
  const vision = {
    get pack() {
      return serving;
    },
    calibrationOf: () => calibration,
    packs: [oldPack, newPack] as PackVision['packs'],
    damaged: new Set<string>(),
    readPacks: () => Promise.resolve(),
    mustBeWhole: async (id: string) => {
      if (vision.damaged.has(id)) throw new Problem('model_pack_damaged', { file: 'x.onnx' });
    },
    beforeUse: (): unknown => undefined,
    use: (id: string) => {
      vision.beforeUse();
      serving = vision.packs.find((pack) => pack.id === id)!;
      return Promise.resolve();
    },
    badlyCropped: new Set<number>(),
    unreadable: new Set<number>(),
    shown: [] as { look: number; pack: string; photo: number | null }[],
    turned: new Set<number>(),
    refusedBy: new Set<string>(),
    photos: [] as number[],
    beforeBatch: (): Promise<void> | void => undefined,
    reembed: async (
      id: string,
      chips: readonly { jpeg: Uint8Array; pack: string; photo?: Uint8Array | null }[],
    ) => {
      await vision.beforeBatch();
      return chips.map(({ jpeg, pack, photo }) => {
        const look = lookOf(jpeg);
        vision.shown.push({ look, pack, photo: photo ? lookOf(photo) : null });
        if (id === oldPack.id) return oldVector(look);
        const isRecropped = Buffer.from(jpeg).toString('latin1').startsWith(again);
        if (vision.unreadable.has(look) || (vision.badlyCropped.has(look) && !isRecropped))
          return null;
        return aNewVector(look);
      });
    },
    beforePhoto: (): void => undefined,
    readPhoto: async (photo: Buffer) => {
      vision.beforePhoto();
      vision.photos.push(lookOf(photo));
      const kept = { jpeg: photo, thumbnail: photo, turned: 0 };
      if (vision.refusedBy.has(serving.id) && vision.turned.has(lookOf(photo))) {
        return { ...kept, face: null, fault: 'turned' };
      }
      const view = { pack: `${serving.id}@${serving.version}`, quality: 0.9 };
      return { ...kept, face: { chip: photo, view }, fault: null };
    },
    embed: async (chip: Buffer) => ({
      pack: serving,
      vectors: [serving.id === oldPack.id ? oldVector(lookOf(chip)) : aNewVector(lookOf(chip))],
      jpegs: [Buffer.concat([Buffer.from(again), chip])],
    }),
    // Only the part that the modules use here.
    get vision(): Vision {
      return vision as unknown as Vision;
    },
  };
  return vision;
}

function oldVector(look: number): Float32Array {
  const vector = new Float32Array(dimensions.old);
  vector[look % vector.length] = 1;
  return vector;
}
