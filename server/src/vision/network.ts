/**
 * One ONNX network, ready to run. Each has one thread and does not spin: more threads brought nothing on two cores
 * under load, while spinning took time from the decoders.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';

export class Network implements AsyncDisposable {
  readonly #session: InferenceSession;

  private constructor(session: InferenceSession) {
    this.#session = session;
  }

  static async load(path: string): Promise<Network> {
    const session = await InferenceSession.create(path, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // A plan of the memory in advance saves 3 % of the time and costs 8 MiB at 384 x 224.
      enableMemPattern: false,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
    return new Network(session);
  }

  /** Whether it takes several pictures at once: the first of the input's sizes is left open. */
  get takesSeveral(): boolean {
    const [input] = this.#session.inputMetadata;
    return input?.isTensor === true && typeof input.shape[0] !== 'number';
  }

  /** All our networks have one input of float32; outputs come by name. */
  async run(input: Float32Array, shape: readonly number[]): Promise<Record<string, Float32Array>> {
    const [name = ''] = this.#session.inputNames;
    const results = await this.#session.run({ [name]: new Tensor('float32', input, shape) });
    return Object.fromEntries(
      Object.entries(results).map(([key, { data }]) => [key, data as Float32Array]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.release();
  }
}
