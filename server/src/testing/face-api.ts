/**
 * face-api itself, to compare our networks with. Its bundle takes Node for one with packages that are not installed,
 * so it runs in a context without `process`, on its backend of plain JavaScript.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

interface Tensor {
  dispose(): void;
}

type ReadFiles = (paths: readonly string[]) => Promise<ArrayBuffer[]>;

interface TensorFlow {
  setPlatform(name: string, platform: Readonly<Record<string, unknown>>): void;
  setBackend(name: 'cpu'): Promise<boolean>;
  tensor3d(values: Uint8Array, shape: readonly number[], type: 'int32'): Tensor;
  readonly io: {
    weightsLoaderFactory(read: ReadFiles): (manifest: unknown, prefix: string) => Promise<unknown>;
  };
}

/** The part of it that tests use. */
export interface FaceApi {
  readonly env: { setEnv(env: Readonly<Record<string, unknown>>): void };
  readonly tf: TensorFlow;
  readonly nets: Readonly<
    Record<'ageGenderNet' | 'faceExpressionNet', { loadFromWeightMap(weights: unknown): void }>
  >;
  predictAgeAndGender(crop: Tensor): Promise<{
    readonly age: number;
    readonly gender: 'male' | 'female';
    readonly genderProbability: number;
  }>;
  recognizeFaceExpressions(crop: Tensor): Promise<Readonly<Record<string, number>>>;
}

const models = {
  ageGenderNet: 'age_gender_model',
  faceExpressionNet: 'face_expression_model',
} as const;

const folder = join(dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api')), '..');
const fileOf = (...path: string[]): Buffer => readFileSync(join(folder, ...path));

export async function openFaceApi(): Promise<FaceApi> {
  const context = createContext({ TextEncoder, TextDecoder, performance, setTimeout, console });
  context['window'] = context;
  context['self'] = context;
  const bundle = fileOf('dist', 'face-api.js').toString();
  const api = runInContext(`${bundle}; faceapi`, context) as FaceApi;
  const isTypedArray = (value: unknown): boolean => ArrayBuffer.isView(value);
  api.tf.setPlatform('test', { isTypedArray, now: () => performance.now() });
  // It asks whether what it is given is one of these.
  api.env.setEnv({ Canvas: Map, Image: Map, Video: Map });
  await api.tf.setBackend('cpu');
  const read = api.tf.io.weightsLoaderFactory((paths) =>
    Promise.resolve(paths.map((path) => Uint8Array.from(fileOf('model', path)).buffer)),
  );
  for (const net of ['ageGenderNet', 'faceExpressionNet'] as const) {
    const manifest = fileOf('model', `${models[net]}-weights_manifest.json`).toString();
    api.nets[net].loadFromWeightMap(await read(JSON.parse(manifest), ''));
  }
  return api;
}
