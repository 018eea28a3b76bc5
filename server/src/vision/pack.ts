/**
 * A model pack: a folder with `pack.json` and the ONNX files it names. The pack says what its networks
 * expect and what distances mean; the engine knows only families, so that a better pack is a new folder,
 * not new code. Vectors are stored with id and version: those of different packs are never compared.
 */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
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

/** Where set-up puts the packs. */
export const modelsDir = join(import.meta.dirname, '../../../models');

/** The pack that is shipped. */
export const shippedPackId = 'blazeface-dlib';

export function readPack(id: string = shippedPackId, dir: string = modelsDir): Pack {
  return Pack.parse(JSON.parse(readFileSync(join(dir, id, 'pack.json'), 'utf8')));
}

/**
 * Where one network lies, refused when it is not the one the pack was made of. A path, not bytes: ONNX
 * Runtime given a buffer keeps 22 MiB more (153 instead of 131 MiB of a host after the first pictures).
 */
export function networkPath(pack: Pack, file: string, dir: string = modelsDir): string {
  const entry = pack.files[file];
  if (!entry) throw new Error(`pack ${pack.id} has no file called ${file}`);
  const path = join(dir, pack.id, entry.path);
  if (sha256OfFile(path) !== entry.sha256)
    throw new Error(`${entry.path} of ${pack.id} is damaged`);
  return path;
}

/** Piece by piece, so that the file never stands in memory as a whole. */
export function sha256OfFile(path: string): string {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(1024 * 1024);
  const file = openSync(path, 'r');
  try {
    for (let bytes = 1; bytes > 0;) {
      bytes = readSync(file, piece);
      hash.update(piece.subarray(0, bytes));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
