/**
 * Estimates the attributes of the face on a chip. A network is loaded when it is first needed, and released when there
 * was no request for a while: a host whose administrator wants no attributes never holds one.
 */
import type { Attribute } from '@nazar/contract/attributes.ts';
import type { Clock } from '#lib/clock.ts';
import type { Template } from '../align.ts';
import { Network } from '../network.ts';
import type { Picture } from '../picture.ts';
import { warp } from '../sample.ts';
import { attributeCrop, cropSide } from './attribute-crop.ts';
import { attributePath, type AttributeNetwork } from './attribute-files.ts';
import { estimateOf, type FaceEstimate, type NetworkAnswers } from './estimate.ts';

const idleMs = 5 * 60_000;

/** Age and gender come of one network. */
const networkOf: Readonly<Record<Attribute, AttributeNetwork>> = {
  age: 'age-gender',
  gender: 'age-gender',
  emotion: 'expression',
};

export class AttributeReader implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #networks = new Map<AttributeNetwork, Network>();
  readonly #input = new Float32Array(3 * cropSide ** 2);
  #idle = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The networks that take memory now. */
  get loaded(): AttributeNetwork[] {
    return [...this.#networks.keys()];
  }

  /** One call at a time: the input is reused. Throws when a network is missing or damaged. */
  async read(
    chip: Picture,
    template: Template,
    wanted: readonly Attribute[],
  ): Promise<FaceEstimate> {
    this.#idle.abort();
    try {
      const needed = new Set(wanted.map((attribute) => networkOf[attribute]));
      warp(chip, attributeCrop(template), cropSide, { kind: 'planes', data: this.#input });
      let answers: NetworkAnswers = {};
      for (const name of needed) answers = { ...answers, ...(await this.#ask(name)) };
      return estimateOf(answers, wanted);
    } finally {
      this.#idle = new AbortController();
      void this.#releaseWhenIdle(this.#idle.signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#idle.abort();
    await this.#release();
  }

  async #ask(name: AttributeNetwork): Promise<NetworkAnswers> {
    const network = this.#networks.get(name) ?? (await Network.load(await attributePath(name)));
    this.#networks.set(name, network);
    return network.run(this.#input, [1, 3, cropSide, cropSide]);
  }

  async #releaseWhenIdle(signal: AbortSignal): Promise<void> {
    await this.#clock.wait(idleMs, signal).catch(() => undefined);
    if (!signal.aborted) await this.#release();
  }

  async #release(): Promise<void> {
    const networks = [...this.#networks.values()];
    this.#networks.clear();
    for (const network of networks) await network[Symbol.asyncDispose]();
  }
}
