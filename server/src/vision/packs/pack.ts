/**
 * A model pack: a folder with `pack.json` and the ONNX files it names. The pack says what its networks
 * expect and what distances mean; the engine knows only families, so that a better pack is a new folder,
 * not new code. Vectors are stored with id and version: those of different packs are never compared.
 */
import * as z from 'zod/mini';

const part = z.number().check(z.gte(0), z.lte(1));
const positive = z.number().check(z.gt(0), z.lte(10_000));
/** Sides of the inputs that networks take from a picture. */
const side = z.int().check(z.gte(16), z.lte(512));
const Point = z.tuple([z.number(), z.number()]);

const File = z.object({
  /** A file of the folder itself: no path leads out of it. */
  path: z.string().check(z.regex(/^\w[\w.-]{0,99}$/, 'must be the name of a file in the folder')),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')),
});

const colour = z.number().check(z.gte(0), z.lte(255));
/** The value of a channel is (colour - mean) / deviation; three numbers are in the order of the channels. */
const Colours = z.object({
  order: z.enum(['rgb', 'bgr']),
  mean: z.union([colour, z.tuple([colour, colour, colour])]),
  deviation: z.union([positive, z.tuple([positive, positive, positive])]),
});
export type Colours = z.infer<typeof Colours>;

const Network = z.object({
  file: z.string(),
  side,
  colours: Colours,
});

export const Calibration = z.object({
  /** Distances at which one pair of strangers in 100, in 1,000 is taken for one person. */
  far1e2: positive,
  far1e3: positive,
  /** A face is named below this distance when strangers must be expected. */
  openSet: positive,
  /** The same for faces that are barely good enough. */
  strict: positive,
  /** Two people nearer to each other than this are not distinguished (families are the weak spot). */
  margin: positive,
  /** A chip further than this from its track's template shows another person. */
  split: positive,
  /** probability = 1 / (1 + exp(-(a + b * distance))). */
  logistic: z.tuple([z.number(), z.number().check(z.lt(0))]),
});
export type Calibration = z.infer<typeof Calibration>;

/** Limits a face must pass; meanings as in FaceView. */
const Gate = z.object({
  minIod: z.number().check(z.gte(0), z.lte(200)),
  minSharpness: z.number().check(z.gte(0), z.lte(1000)),
  maxYaw: z.number().check(z.gt(0), z.lte(5)),
});
export type Gate = z.infer<typeof Gate>;

const inputSide = z.int().check(z.gte(32), z.lte(2048), z.multipleOf(32));

/** How a detector's network is asked, and its answer read. */
const DetectorNetwork = z.object({
  /** How the network's answer is read (`vision/detector/`). */
  family: z.enum(['blazeface', 'ultraface', 'yunet', 'scrfd', 'tiny', 'ssd']),
  /** The input sizes it is used with; a network that takes any size may be listed for several. */
  inputs: z
    .array(z.object({ file: z.string(), width: inputSide, height: inputSide }))
    .check(z.minLength(1), z.maxLength(100)),
  /** The network's names for the outputs of its family; absent: the family's own. */
  outputs: z.optional(z.record(z.string(), z.string())),
  colours: Colours,
  minScore: part,
});
export type DetectorNetwork = z.infer<typeof DetectorNetwork>;

const SecondDetector = z.extend(DetectorNetwork, {
  /** The sides of what it sees when a face is confirmed alone, in sides of its box; absent: 3. */
  room: z.optional(z.number().check(z.gte(1), z.lte(5))),
});

const Detector = z.extend(DetectorNetwork, {
  /** How wide a face's box must be, in pixels of the input, to be found. */
  faces: z.object({ min: positive, max: positive }),
  /** A face with a lower score is detected once more, alone. With the value of minScore none is. */
  certainScore: part,
  /** In pictures of a camera a face is detected once more, alone, where none was a moment ago, whatever its score. */
  confirmsNew: z.optional(z.boolean()),
  /** Faces narrower than this, in pixels of the input, are scored too low: all are detected once more. 0: none. */
  narrow: z.number().check(z.gte(0), z.lte(2048)),
  /** The score such a face must reach at first. */
  narrowScore: part,
  maxOverlap: part,
});

/** Families whose networks give the five points of a face besides its box. */
const withPoints: readonly string[] = ['yunet', 'scrfd'];

const Landmarks = z.extend(Network, {
  points: z.literal(68),
  /** The side of the upright second crop, in sizes of the first pass's outline. */
  secondCrop: z.number().check(z.gte(1), z.lte(3)),
});

/** Sides of the chips that the named templates were made for. */
const templateSides = { 'dlib68-150-p25': 150, 'arcface-112': 112 } as const;

const Embedder = z
  .extend(Network, {
    /**
     * How a face lies on a chip: as dlib aligns it (by 68 points if there are landmarks), as ArcFace does, or
     * with the eyes, the tip of the nose and the corners of the mouth at these pixels, left in the picture first.
     */
    template: z.union([
      z.enum(['dlib68-150-p25', 'arcface-112']),
      z.tuple([Point, Point, Point, Point, Point]),
    ]),
    /** The dimensions that the gallery's search can hold (faces/gallery/scan.ts). */
    dimensions: z.int().check(z.gte(16), z.lte(4096)),
    /** Cosine: vectors are scaled to length 1, and distances are those between their ends, sqrt(2 - 2 cos). */
    metric: z.enum(['l2', 'cosine']),
    /** Whether the mean of the chip's vector and its mirror image's is taken. */
    flip: z.boolean(),
    calibration: Calibration,
  })
  .check(
    z.refine(
      ({ template, side: given }) =>
        typeof template !== 'string' || templateSides[template] === given,
      'side is not the one of the template',
    ),
  );

export const Pack = z
  .object({
    id: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be small letters and digits')),
    version: z.string().check(z.regex(/^[\w.-]{1,32}$/, 'must be letters, digits and dots')),
    license: z.string().check(z.minLength(1), z.maxLength(500)),
    files: z.record(z.string(), File),
    detector: Detector,
    /** The detector that only checks doubtful faces; absent: the detector itself. */
    secondDetector: z.optional(SecondDetector),
    /** Absent: the detector gives the five points. */
    landmarks: z.optional(Landmarks),
    embedder: Embedder,
    quality: z.object({ recognise: Gate, enrol: Gate }),
  })
  .check(
    z.refine(
      ({ files, ...pack }) => networksOf(pack).every((file) => Object.hasOwn(files, file)),
      'a network names a file that is not among files',
    ),
    z.refine(
      ({ detector, landmarks }) => landmarks !== undefined || withPoints.includes(detector.family),
      'without landmarks the detector must tell five points (yunet, scrfd)',
    ),
  );
export type Pack = z.infer<typeof Pack>;

/** The key vectors are stored with: those of different packs, or versions of one, are never compared. */
export type PackKey = `${string}@${string}`;

export function packKey({ id, version }: Pick<Pack, 'id' | 'version'>): PackKey {
  return `${id}@${version}`;
}

/** Returns the names of the files that its networks are read from. */
function networksOf({
  detector,
  secondDetector,
  landmarks,
  embedder,
}: Pick<Pack, 'detector' | 'embedder'> & Partial<Pick<Pack, 'secondDetector' | 'landmarks'>>) {
  const inputs = [detector, secondDetector].flatMap(
    (it) => it?.inputs.map(({ file }) => file) ?? [],
  );
  return [...inputs, ...(landmarks ? [landmarks.file] : []), embedder.file];
}
