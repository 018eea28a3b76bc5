/**
 * @vladmandic/face-api in Node as its README says where there is no tfjs-node: the wasm backend. The words
 * after the program are its detector: `ssd`, which its examples use, or `tiny`, its fastest.
 */
import { dirname, join } from 'node:path';
import { seeded } from '../chance.ts';
import { requirePeer } from './installed.ts';
import { serve } from './serve.ts';
import type * as FaceApi from '@vladmandic/face-api/dist/face-api.node-wasm.js';
import type { Picture } from '../../../server/src/vision/picture.ts';

/** The part of it that is used here. */
interface Tensor {
  dispose(): void;
}
interface TensorFlow {
  setBackend(name: 'wasm'): Promise<boolean>;
  ready(): Promise<void>;
  tensor3d(values: Uint8Array, shape: [number, number, number], type: 'int32'): Tensor;
  zeros(shape: [number, number, number]): Tensor;
}
const tf = requirePeer('@tensorflow/tfjs') as TensorFlow;
const wasm = requirePeer('@tensorflow/tfjs-backend-wasm') as {
  setWasmPaths: (folder: string) => void;
};
wasm.setWasmPaths(
  `${dirname(requirePeer.resolve('@tensorflow/tfjs-backend-wasm/package.json'))}/dist/`,
);
await tf.setBackend('wasm');
await tf.ready();
const faceapi = requirePeer('@vladmandic/face-api/dist/face-api.node-wasm.js') as typeof FaceApi;

const models = join(dirname(requirePeer.resolve('@vladmandic/face-api/package.json')), 'model');
const tiny = process.argv[2] === 'tiny';
await faceapi.nets[tiny ? 'tinyFaceDetector' : 'ssdMobilenetv1'].loadFromDisk(models);
await faceapi.nets.faceLandmark68Net.loadFromDisk(models);
await faceapi.nets.faceRecognitionNet.loadFromDisk(models);
const options = tiny ? new faceapi.TinyFaceDetectorOptions() : new faceapi.SsdMobilenetv1Options();

async function detect({ width, height, rgb }: Picture) {
  const tensor = tf.tensor3d(rgb, [height, width, 3], 'int32');
  try {
    const found = await faceapi
      .detectAllFaces(tensor as never, options)
      .withFaceLandmarks()
      .withFaceDescriptors();
    return found.map(({ detection: { box, score }, descriptor }) => ({
      box: { x: box.x, y: box.y, width: box.width, height: box.height },
      score,
      vector: descriptor,
    }));
  } finally {
    tensor.dispose();
  }
}

const chip = tf.zeros([150, 150, 3]);

const random = seeded(1);
const vector = (): Float32Array => Float32Array.from({ length: 128 }, random);

serve({
  detect,
  embed: () => faceapi.nets.faceRecognitionNet.computeFaceDescriptor(chip as never),
  gallery: (vectors) => {
    const people = Array.from(
      { length: vectors },
      (_, i) => new faceapi.LabeledFaceDescriptors(String(i), [vector()]),
    );
    const matcher = new faceapi.FaceMatcher(people);
    const probe = vector();
    return () => matcher.findBestMatch(probe);
  },
});
