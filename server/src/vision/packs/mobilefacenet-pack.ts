/**
 * The pack that set-up makes of the networks in faceplugin-face-recognition-js: what they mean, and the hashes of what
 * is made (setup/mobilefacenet-networks.ts). It shares points and second detector with the shipped pack.
 */
import type { Pack } from './pack.ts';
import { shippedPack } from './shipped-pack.ts';

/**
 * The network takes any size; each more costs a few bytes of the description. 768 x 448 holds all of 1280x720 at a
 * scale of 0.6, 384 x 224 all of 640x360: tiles are for larger pictures. Between them are steps of a third, so that
 * what is seen is little larger than what moves: a standing person in 1280x720 takes 224 x 448.
 */
const sides = [128, 160, 224, 256, 320, 384, 448, 576, 768];
const maxPixels = 768 * 448;
/** Nothing that moves is so much longer than it is wide. */
const maxAspect = 3;
const inputs = sides.flatMap((width) =>
  sides
    .filter((height) => width * height <= maxPixels)
    .filter((height) => Math.max(width, height) <= maxAspect * Math.min(width, height))
    .map((height) => ({ file: 'detector', width, height })),
);

const { landmarks } = shippedPack.files;
const [smallest] = shippedPack.detector.inputs;

export const mobileFaceNetPack: Pack = {
  ...shippedPack,
  id: 'ultraface-mobilefacenet',
  version: '1',
  license:
    'faceplugin-face-recognition-js 0.0.1, MIT; who trained the recognition network, and on what, its authors do not say. See THIRD_PARTY_NOTICES.md',
  // The hashes of what the converters write: a change of converter or of weights shows here.
  files: {
    detector: {
      path: 'detector.onnx',
      sha256: '67e6577c5162331cd753a7aa6b85673d819e7df059a32fef6070e69a3cd3822f',
    },
    'second-detector': { ...shippedPack.files[smallest!.file]!, path: 'second-detector.onnx' },
    landmarks: landmarks!,
    embedder: {
      path: 'embedder.onnx',
      sha256: 'e110353b0cd419840f74b10ae0c2c89012cec46949c0749a1b5513d45887cba8',
    },
  },
  detector: {
    family: 'ultraface',
    inputs,
    // At a scale of 0.6 the smallest face that is recognised is 21 px wide. Of 14 faces that fill nine tenths of a
    // picture 13 are found with this, 7 without a second tile from further away.
    faces: { min: 21, max: 320 },
    colours: { order: 'rgb', mean: 127, deviation: 128 },
    minScore: 0.3,
    // What is surely a face scores 1.000 in 95 of 100 photos. A plate with eyes and a mouth on a wall scores 0.96, and
    // now and then 1.000 for one picture of a film: what is new is confirmed too (recent-faces.ts).
    certainScore: 0.999,
    confirmsNew: true,
    narrow: 28,
    narrowScore: 0.1,
    maxOverlap: 0.3,
  },
  secondDetector: {
    family: 'blazeface',
    inputs: [{ file: 'second-detector', width: smallest!.width, height: smallest!.height }],
    colours: shippedPack.detector.colours,
    minScore: shippedPack.detector.minScore,
    // No more than the crop has, for beyond it is black: so framed, a plate with eyes and a mouth scores 0.58, which a
    // tenth of faces does not reach, and without the frame it is none.
    room: 2.2,
  },
  embedder: {
    file: 'embedder',
    side: 112,
    // Blue first: with the package's own order 98.4 instead of 100 of 100 pairs are found at one false in 10,000.
    colours: { order: 'bgr', mean: 127, deviation: 128 },
    template: 'arcface-112',
    dimensions: 512,
    metric: 'cosine',
    // The mirror image gains nothing and costs as much as the face.
    flip: false,
    calibration: {
      far1e2: 1.242,
      far1e3: 1.183,
      openSet: 1.08,
      strict: 1.03,
      margin: 0.07,
      split: 1.095,
      logistic: [27.85, -24.77],
    },
  },
};
