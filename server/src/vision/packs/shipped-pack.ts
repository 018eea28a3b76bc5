/**
 * The shipped pack: what its networks mean, and the hashes of what set-up makes (setup/shipped-networks.ts). Set-up
 * writes it to `models/blazeface-dlib/`.
 */
import { rawColours } from '../colours.ts';
import { detectorInputs } from './detector-inputs.ts';
import type { Pack } from './pack.ts';

/**
 * The inputs of the detector. The smallest that holds a tile is used: a moving person costs a third of what a square
 * of 256 did. 384 x 224 holds 640x360, or a quarter of 1280x720, with 8 px left of 16 between the eyes. One input for
 * all of 1280x720 would take a third less time and 45 MiB more memory.
 */
const { inputs, files: detectorFiles } = detectorInputs({
  '128x128': '1fea0415c3d93da2971f5a000dc949cde212a243791d9aa38d8952d5c4a1f39a',
  '256x160': '68f4e96d6b8bd3fc1a473a05f874050fdeed8c939c423e9ad6a1287d3a03f78c',
  '160x256': 'f65379fb6b5865d0bb055ef359582c17bfb0ae90fc01b236bf7ffdfca1f58198',
  '384x224': '0a6b64df8e450b40b210506d1c7a784f1c09ac382f879f4f727823dc8aa264fd',
  '224x384': 'f412c39dd8531edc7e57f7fa5a938bb2b0161db2ea7ea22722c1413b8eda77ae',
});

export const shippedPack: Pack = {
  id: 'blazeface-dlib',
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
    colours: { order: 'rgb', mean: 127.5, deviation: 127.5 },
    // The tracker continues a track from 0.3 and begins one from 0.5 (tracking/tracker.ts).
    minScore: 0.3,
    // In 42 pictures of sample photos, 25 things that are no face passed 0.3 in the first detection, 11 in the
    // second.
    certainScore: 0.7,
    // A face of 16 px between the eyes scores 0.1 to 0.6 at first and 0.5 to 0.9 alone.
    narrow: 28,
    narrowScore: 0.1,
    maxOverlap: 0.3,
  },
  landmarks: {
    file: 'landmarks',
    side: 112,
    colours: rawColours,
    points: 68,
    secondCrop: 1.3,
  },
  embedder: {
    file: 'embedder',
    side: 150,
    colours: rawColours,
    template: 'dlib68-150-p25',
    dimensions: 128,
    metric: 'l2',
    flip: true,
    calibration: {
      far1e2: 0.63,
      far1e3: 0.585,
      openSet: 0.54,
      strict: 0.5,
      margin: 0.06,
      split: 0.55,
      // The slope is fitted to genuine and impostor pairs with equal weight; openSet is moved to 0.75.
      logistic: [15.95, -27.5],
    },
  },
  quality: {
    recognise: { minIod: 16, minSharpness: 15, maxYaw: 0.45 },
    enrol: { minIod: 24, minSharpness: 15, maxYaw: 0.45 },
  },
};
