/**
 * What one picture costs each engine: all in turn, round after round, so that other load on the machine hits them
 * alike. Processor time, because wall time says more about other processes; the quotients of one run say more than
 * either.
 */
import { Detector } from '../../server/src/vision/detector/detect.ts';
import { Embedder } from '../../server/src/vision/embed.ts';
import { Landmarks } from '../../server/src/vision/landmarks.ts';
import { chipTransform, templateOf, type Template } from '../../server/src/vision/align.ts';
import { Network } from '../../server/src/vision/network.ts';
import { networkPath } from '../../server/src/vision/packs/installed-packs.ts';
import type { Picture } from '../../server/src/vision/picture.ts';
import { chipMeasures, fivePoints } from '../../server/src/vision/quality.ts';
import { warp } from '../../server/src/vision/sample.ts';
import { shown } from '../../server/src/vision/detector/find-faces.ts';
import { tilesFor, type DetectorLimits } from '../../server/src/vision/detector/tiles.ts';
import { imageSourceOf } from '../../server/src/vision/image-source.ts';
import { measuredPack } from '../rig/measured-pack.ts';
import { costOf } from './cost.ts';
import type { Ours } from './ours.ts';
import type { Peer } from './peers/peer.ts';
import { Progress } from './progress.ts';

const pack = measuredPack;
const template: Template = templateOf(pack.embedder);
const chipSide = template.side;
const chipBytes = chipSide * chipSide * 3;
const rounds = 5;
/** Ours is short; more of it is needed for the same precision. */
const timesOurs = 20;
const timesTheirs = 2;

/** Processor milliseconds, medians over the rounds, by engine. */
export interface Speed {
  /** One 640x360 picture with one face: found, aligned, described. */
  readonly picture: Readonly<Record<string, number>>;
  /** One pass of the recognition network, where it can be asked alone. */
  readonly network: Readonly<Record<string, number>>;
  /** The stages of our engine. */
  readonly stages: Readonly<Record<'detect' | 'landmarks' | 'chip' | 'embed', number>>;
}

export async function speed(picture: Picture, ours: Ours, peers: readonly Peer[]): Promise<Speed> {
  await using parts = await Stages.load(picture);
  using progress = new Progress('speed, rounds', rounds);
  const pictureMs = new Samples();
  const networkMs = new Samples();
  const stageMs = new Samples();
  for (let round = 0; round < rounds; round++) {
    pictureMs.add(ours.name, (await costOf(timesOurs, () => ours.detect(picture))).cpuMs);
    networkMs.add(ours.name, (await costOf(timesOurs, () => parts.network())).cpuMs);
    for (const stage of ['detect', 'landmarks', 'chip', 'embed'] as const) {
      stageMs.add(stage, (await costOf(timesOurs, () => parts[stage]())).cpuMs);
    }
    for (const peer of peers) {
      const cost = await peer.cost({ kind: 'cost', picture, times: timesTheirs });
      pictureMs.add(peer.name, cost.cpuMs);
      if (!peer.hasNetwork) continue;
      const network = await peer.cost({ kind: 'embed', times: 2 * timesTheirs });
      networkMs.add(peer.name, network.cpuMs);
    }
    progress.step();
  }
  return {
    picture: pictureMs.medians(),
    network: networkMs.medians(),
    stages: stageMs.medians() as Speed['stages'],
  };
}

class Samples {
  readonly #values = new Map<string, number[]>();

  add(name: string, value: number): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  medians(): Record<string, number> {
    return Object.fromEntries(
      [...this.#values].map(([name, values]) => {
        const sorted = values.toSorted((a, b) => a - b);
        return [name, sorted[sorted.length >> 1]!];
      }),
    );
  }
}

/** The engine's steps one by one, which it does not show itself. */
class Stages implements AsyncDisposable {
  readonly #networks: readonly [Network, Network];
  readonly #picture: Picture;
  readonly #detector: Detector;
  readonly #limits: DetectorLimits;
  readonly #landmarks: Landmarks;
  readonly #embedder: Embedder;
  readonly #chip = Buffer.alloc(chipBytes);
  #found: Awaited<ReturnType<Detector['find']>> = [];
  #points: Awaited<ReturnType<Landmarks['find']>> = [];

  private constructor(picture: Picture, detector: Detector, networks: readonly [Network, Network]) {
    this.#picture = picture;
    this.#networks = networks;
    this.#detector = detector;
    this.#limits = pack.detector;
    this.#landmarks = new Landmarks(networks[0], pack.landmarks!);
    this.#embedder = new Embedder(networks[1], pack.embedder);
  }

  static async load(picture: Picture): Promise<Stages> {
    const load = async (file: string): Promise<Network> =>
      Network.load(await networkPath(pack, file));
    const networks = [await load(pack.landmarks!.file), await load(pack.embedder.file)] as const;
    return new Stages(picture, new Detector(pack, load), networks);
  }

  async detect(): Promise<void> {
    const view = imageSourceOf(this.#picture);
    const tiles = tilesFor(view, [], false, this.#limits);
    this.#found = await this.#detector.find(await shown(view, tiles));
  }

  async landmarks(): Promise<void> {
    this.#points = await this.#landmarks.find(this.#picture, this.#found[0]!.box);
  }

  chip(): void {
    const five = fivePoints(this.#points);
    const transform = chipTransform({ five, all: this.#points }, template);
    warp(this.#picture, transform, chipSide, { kind: 'bytes', data: this.#chip });
    chipMeasures(this.#chip);
  }

  async embed(): Promise<void> {
    await this.#embedder.embed(this.#chip, 1);
  }

  async network(): Promise<void> {
    await this.#networks[1].run(new Float32Array(chipBytes), [1, 3, chipSide, chipSide]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#detector[Symbol.asyncDispose]();
    for (const network of this.#networks) await network[Symbol.asyncDispose]();
  }
}
