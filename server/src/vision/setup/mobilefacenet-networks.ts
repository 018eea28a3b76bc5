/**
 * Where the networks of the MobileFaceNet pack come from. The package is no dependency: it has one version, one
 * maintainer and many dependencies that models do not need, so that set-up takes its two files and nothing else
 * (setup/package-files.ts).
 */
import { mobileFaceNetPack } from '../packs/mobilefacenet-pack.ts';
import { readOnnxLayers } from './convert/layers.ts';
import { mobileFaceNet } from './convert/mobilefacenet.ts';
import { ultraFace } from './convert/ultraface.ts';
import type { PackageFiles } from './package-files.ts';
import { blazeface, networks, type Network } from './shipped-networks.ts';

export const facePlugin: PackageFiles = {
  name: 'faceplugin-face-recognition-js',
  version: '0.0.1',
  integrity:
    'sha512-shriXjd4zJHEwhK1jHK+bWo8Vv6Vu9B/w6RRsd4AFtNM/jaI2vhuOamOSMl9qQmLd8WlQ7dgqN+3C2iOi5pXWw==',
  files: [
    {
      path: 'faceplugin-face-recognition-js/model/fr_feature.onnx',
      sha256: '87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581',
    },
    {
      path: 'faceplugin-face-recognition-js/model/fr_detect.onnx',
      sha256: '6c0256ccd3164f844736a401faf936ec2930764a87ae39442180887d0c5c8854',
    },
  ],
};

const [feature, detect] = facePlugin.files;
const { secondDetector, embedder } = mobileFaceNetPack;
const { side, dimensions } = embedder;

export const mobileFaceNetNetworks: Readonly<Record<string, Network>> = {
  detector: { sources: [detect!], convert: ultraFace },
  'second-detector': blazeface(secondDetector!.inputs[0]!),
  landmarks: networks['landmarks']!,
  embedder: {
    sources: [feature!],
    convert: (file) => mobileFaceNet(readOnnxLayers(file), { side, dimensions }),
  },
};
