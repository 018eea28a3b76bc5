/** The network of one detector, for each size of its input: what it is given, and what its answer means. */
import type { Size } from '#lib/geometry.ts';
import { asInput } from '../colours.ts';
import type { Network } from '../network.ts';
import type { DetectorNetwork } from '../packs/pack.ts';
import { blazeface } from './blazeface.ts';
import type { Decode, Proposal } from './detection.ts';
import { scrfd } from './scrfd.ts';
import { ssd } from './ssd.ts';
import { tiny } from './tiny.ts';
import { ultraface } from './ultraface.ts';
import { yunet } from './yunet.ts';

const onGrids = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [8, 16, 32].map((cell) => `${name}_${cell}`));

/** How each family's answer is read, and what must be in it. */
const families: Record<DetectorNetwork['family'], { decode: Decode; outputs: string[] }> = {
  blazeface: { decode: blazeface, outputs: ['scores16', 'boxes16', 'scores32', 'boxes32'] },
  ultraface: {
    decode: ultraface,
    outputs: ['scores', 'boxes'].flatMap((name) => [0, 1, 2, 3].map((grid) => `${name}${grid}`)),
  },
  yunet: { decode: yunet, outputs: onGrids('cls', 'obj', 'bbox', 'kps') },
  scrfd: { decode: scrfd, outputs: onGrids('score', 'bbox', 'kps') },
  tiny: { decode: tiny, outputs: ['grid'] },
  ssd: { decode: ssd, outputs: ['boxes', 'classes', 'anchors'] },
};

export type Input = DetectorNetwork['inputs'][number];

export class AskedNetwork implements AsyncDisposable {
  readonly settings: DetectorNetwork;
  readonly #family: { readonly decode: Decode; readonly outputs: readonly string[] };
  readonly #load: (file: string) => Promise<Network>;
  /** Loaded when first needed: a camera of 640x360 never asks for the largest. */
  readonly #networks = new Map<string, Promise<Network>>();
  /** For the input that is asked about; as long as the largest so far, because one call at a time uses it. */
  #planes = new Float32Array(0);

  constructor(settings: DetectorNetwork, load: (file: string) => Promise<Network>) {
    this.settings = settings;
    this.#family = families[settings.family];
    this.#load = load;
  }

  /** Where an input of this size is filled in before the network is asked. */
  planesFor({ width, height }: Size): Float32Array {
    const length = 3 * width * height;
    if (this.#planes.length < length) this.#planes = new Float32Array(length);
    return this.#planes.subarray(0, length);
  }

  /** Returns what the network proposes for colours of 0 to 255 in the planes of the input. */
  askRaw(input: Input): Promise<Proposal[]> {
    asInput(this.planesFor(input), this.settings.colours);
    return this.ask(input, this.settings.minScore);
  }

  /** Returns what the network proposes for the planes of the input. */
  async ask(input: Input, minScore: number): Promise<Proposal[]> {
    const { width, height } = input;
    const network = await this.#network(input);
    const output = await network.run(this.planesFor(input), [1, 3, height, width]);
    return this.#family.decode(this.#named(output), input, minScore);
  }

  /** Returns the outputs by the names their family gives them. */
  #named(output: Record<string, Float32Array>): Record<string, Float32Array> {
    const { outputs: theirs = {} } = this.settings;
    return Object.fromEntries(
      this.#family.outputs.map((name) => {
        const given = theirs[name] ?? name;
        const values = output[given];
        if (!values) throw new Error(`the detector has no output called ${given}`);
        return [name, values];
      }),
    );
  }

  #network({ file }: Input): Promise<Network> {
    const known = this.#networks.get(file);
    if (known) return known;
    const network = this.#load(file);
    this.#networks.set(file, network);
    return network;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const network of this.#networks.values()) await (await network)[Symbol.asyncDispose]();
  }
}
