/**
 * A pack of another kind out of the same npm packages: the shipped detector and points, and human's embedder, whose
 * 1024 numbers are compared by their angle. Set-up does not make it; `npm run models -- add human` does. It is for
 * those who want a second opinion, and it keeps the engine honest: none of its numbers is dlib's.
 */
import { graphModel } from './convert/graph.ts';
import type { Pack } from '../packs/pack.ts';
import { networks as shippedNetworks, type Network } from './shipped-networks.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

const human = '@vladmandic/human/models';
const side = 224;
const dimensions = 1024;

const { embedder: _, ...seeing } = shippedNetworks;

export const humanNetworks: Readonly<Record<string, Network>> = {
  ...seeing,
  embedder: {
    sources: [
      {
        path: `${human}/faceres.json`,
        sha256: '5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df',
      },
      {
        path: `${human}/faceres.bin`,
        sha256: '2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b',
      },
    ],
    convert: (description, weights) =>
      graphModel('faceres', description.toString(), weights, {
        width: side,
        height: side,
        batch: 'N',
        outputs: { 'global_pooling/Mean': { name: 'embedding', shape: ['N', dimensions] } },
      }),
  },
};

export const humanPack: Pack = {
  ...shippedPack,
  id: 'blazeface-faceres',
  version: '1',
  license:
    'Weights in @vladmandic/human (MIT), whose description names HSE-asavchenko/HSE_FaceRec_tf; their own licence is not stated',
  files: {
    ...shippedPack.files,
    embedder: {
      path: 'faceres.onnx',
      sha256: '3fa2a3b290dced587d16152c6c82ba71e32d7be192bd69257b83e6e6883ef86b',
    },
  },
  embedder: {
    file: 'embedder',
    side,
    // VGGFace's colours, with which it was trained.
    colours: { order: 'bgr', mean: [93.594, 104.7624, 129.1863], deviation: 1 },
    // A third more around the face than dlib has. With 52, 66, 73 and 79 px between the eyes fewer pairs
    // are distinguished.
    template: [
      [82.5, 66],
      [141.5, 66],
      [112, 99.5],
      [85.5, 129],
      [138.5, 129],
    ],
    dimensions,
    metric: 'cosine',
    flip: true,
    // Measured by `npm run models -- calibrate`, on 128 photos of 25 people.
    calibration: {
      far1e2: 0.925,
      far1e3: 0.878,
      openSet: 0.831,
      strict: 0.784,
      margin: 0.063,
      split: 0.843,
      logistic: [39.63, -46.37],
    },
  },
};
