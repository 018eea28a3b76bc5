/**
 * A model pack: a folder with `pack.json` and the ONNX files it names. The pack says what its networks
 * expect and what distances mean; the engine knows only families, so that a better pack is a new folder,
 * not new code. Vectors are stored with id and version: those of different packs are never compared.
 */
import * as z from 'zod/mini';

const File = z.object({ path: z.string(), sha256: z.string() });
const Network = z.object({ file: z.string(), side: z.number() });

export const Calibration = z.object({
  /** Distances at which one pair of strangers in 100, 1,000 is taken for one person. */
  far1e2: z.number(),
  far1e3: z.number(),
  /** Below it a face is named when strangers must be expected. */
  openSet: z.number(),
  /** The same for faces that are barely good enough. */
  strict: z.number(),
  /** Chips of one track further than this from its template show somebody else. */
  split: z.number(),
  /** probability = 1 / (1 + exp(-(a + b * distance))). */
  logistic: z.tuple([z.number(), z.number()]),
});
export type Calibration = z.infer<typeof Calibration>;

/** Limits a face must pass; meanings as in FaceView. */
const Gate = z.object({ minIod: z.number(), minSharpness: z.number(), maxYaw: z.number() });
export type Gate = z.infer<typeof Gate>;

const Detector = z.object({
  /** How the network's answer is read (`detectors/`). */
  family: z.enum(['blazeface']),
  /** The network for each size of its input. */
  inputs: z.array(z.object({ file: z.string(), width: z.number(), height: z.number() })),
  /** How wide a face's box must be, in pixels of the input, to be found. */
  faces: z.object({ min: z.number(), max: z.number() }),
  /** Channel value = (colour - mean) / deviation, RGB. */
  mean: z.number(),
  deviation: z.number(),
  minScore: z.number(),
  /** What scores less is looked at again, alone. */
  certainScore: z.number(),
  /** Faces narrower than this, in pixels of the input, are scored too low: all are looked at again. */
  narrow: z.number(),
  /** What such a face must score at first. */
  narrowScore: z.number(),
  maxOverlap: z.number(),
});

export const Pack = z.object({
  id: z.string(),
  version: z.string(),
  license: z.string(),
  files: z.record(z.string(), File),
  detector: Detector,
  landmarks: z.extend(Network, {
    points: z.literal(68),
    /** Side of the upright second crop, in sizes of the first pass's outline. */
    secondCrop: z.number(),
  }),
  embedder: z.extend(Network, {
    template: z.literal('dlib68-150-p25'),
    dimensions: z.number(),
    metric: z.literal('l2'),
    /** Mean of the chip's vector and its mirror image's. */
    flip: z.boolean(),
    calibration: Calibration,
  }),
  quality: z.object({ recognise: Gate, enrol: Gate }),
});
export type Pack = z.infer<typeof Pack>;

/** What vectors are stored with: those of different packs, or versions of one, are never compared. */
export type PackKey = `${string}@${string}`;

export function packKey({ id, version }: Pick<Pack, 'id' | 'version'>): PackKey {
  return `${id}@${version}`;
}
