/**
 * @vladmandic/human in Node with the wasm backend, used as its similarity example does: faces and their descriptors.
 * What a comparison does not use is off (iris, emotion), and so is the cache of results, which would return the last
 * photo's face for the next one's. Its models come over HTTP from this process: without tfjs-node it cannot read them
 * from disk.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { seeded } from '../chance.ts';
import type { Picture } from '../../../server/src/vision/picture.ts';
import { requirePeer } from './installed.ts';
import { serve } from './serve.ts';

/** The part of it that is used here. */
interface Human {
  readonly tf: {
    tensor(values: Uint8Array, shape: [number, number, number], type: 'int32'): object;
    dispose(tensor: object): void;
  };
  readonly match: { find(probe: number[], gallery: number[][]): unknown };
  load(): Promise<void>;
  detect(tensor: object): Promise<{
    readonly face: readonly {
      readonly box: readonly [x: number, y: number, width: number, height: number];
      readonly boxScore: number;
      readonly embedding?: readonly number[];
    }[];
  }>;
}

// Its `exports` name this build in a way that Node refuses, so it is required by its path.
const home = join(dirname(requirePeer.resolve('@vladmandic/human')), '..');
const { Human } = requirePeer(join(home, 'dist/human.node-wasm.js')) as {
  Human: new (config: object) => Human;
};

/** Serves only the files of the models' folder, by their bare names, to this machine only. */
async function modelServer(): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    response.end(readFileSync(join(home, 'models', basename(url))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const server = await modelServer();
const { port } = server.address() as AddressInfo;
const wasmFolder = dirname(requirePeer.resolve('@tensorflow/tfjs-backend-wasm/package.json'));
const off = { enabled: false };
const human = new Human({
  backend: 'wasm',
  wasmPath: `${wasmFolder}/dist/`,
  modelBasePath: `http://127.0.0.1:${port}/`,
  cacheSensitivity: 0,
  debug: false,
  filter: off,
  face: { enabled: true, iris: off, emotion: off },
  body: off,
  hand: off,
  object: off,
  segmentation: off,
  gesture: off,
});
await human.load();
server.close();

async function detect({ width, height, rgb }: Picture) {
  const tensor = human.tf.tensor(rgb, [height, width, 3], 'int32');
  try {
    const { face } = await human.detect(tensor);
    return face
      .filter(({ embedding }) => embedding)
      .map(({ box: [x, y, boxWidth, boxHeight], boxScore, embedding }) => ({
        box: { x, y, width: boxWidth, height: boxHeight },
        score: boxScore,
        vector: Float32Array.from(embedding!),
      }));
  } finally {
    human.tf.dispose(tensor);
  }
}

const random = seeded(1);
const vector = (): number[] => Array.from({ length: 1024 }, random);

serve({
  detect,
  embed: () => Promise.reject(new Error('its network cannot be asked alone')),
  gallery: (vectors) => {
    const gallery = Array.from({ length: vectors }, vector);
    const probe = vector();
    return () => human.match.find(probe, gallery);
  },
});
