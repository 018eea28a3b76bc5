/**
 * How a media host asks the vision hosts for the faces of a picture. The client keeps a connection to each host,
 * gives a picture to the one with the least to do, and fails at once when there is none: the newest picture wins, so
 * the caller drops a picture that cannot be analyzed now instead of keeping it.
 */
import { dial } from '#lib/host.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import { PeerFailure, type Message, type Peer } from '#lib/ipc.ts';
import type { ImageSource } from '#lib/image-source.ts';
import type { Detection } from './detector/detection.ts';
import type {
  FaceCrop,
  DescribeRequest,
  DetectReply,
  FindReply,
  FindRequest,
  LimitsReply,
  Metered,
} from './messages.ts';
import { FalsePositives } from './detector/false-positives.ts';
import { RecentFaces } from './detector/recent-faces.ts';
import { SteadyFaces } from './detector/steady-faces.ts';
import {
  findFaces,
  type FaceCropPixels,
  type FaceFinder,
  type Found,
} from './detector/find-faces.ts';
import type { Shown } from './detector/tiles.ts';

export interface Detected {
  readonly reply: DetectReply;
  /** The chips one after another; FaceView.chip is an index into them. */
  readonly chips: Buffer;
  /** What it took: processor time of the vision host, and the time in which the picture was scaled for it. */
  readonly costMs: number;
}

/** A request takes 3 to 40 ms; a host this late hangs, and the server's watchdog will kill it. */
const requestTimeoutMs = 2_000;

/** Sends a request to the host that was chosen for the picture. */
type Ask = <H>(request: FindRequest | DescribeRequest, body: Buffer) => Promise<Message<H>>;

/** What earlier detections in one scene found. */
type Earlier = Required<Pick<FaceFinder, 'falsePositives' | 'recentFaces' | 'steadyFaces'>>;

interface Line {
  readonly socketPath: string;
  connection: { readonly peer: Peer; readonly limits: LimitsReply } | null;
  asked: number;
}

export class VisionClient implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #lines: Line[];
  readonly #running: Promise<unknown>;
  /** Keyed by the object that stands for a scene of a camera, for as long as that lives. */
  readonly #earlier = new WeakMap<object, Earlier>();

  constructor(sockets: readonly string[], clock: Clock) {
    this.#clock = clock;
    this.#lines = sockets.map((socketPath) => ({ socketPath, connection: null, asked: 0 }));
    this.#running = Promise.all(this.#lines.map((line) => this.#keepConnected(line)));
  }

  /** How many hosts can take a request now. */
  get reachable(): number {
    return this.#lines.filter(({ connection }) => connection !== null).length;
  }

  /** True when a host has nothing to do: the moment to take the newest picture. */
  get free(): boolean {
    return this.#lines.some(({ connection, asked }) => connection !== null && asked === 0);
  }

  /**
   * Sends all of a picture to one host. `scene` is the same object for pictures of the same scene: what was no face
   * in one need not be checked again in the next, nor what was one, nor measured who goes on as before; null: no other
   * picture of it follows. `isExtra`: it lies between those that are due, and what they found stays as it is. Rejects
   * with PeerFailure when no host is reachable or it fails.
   */
  async detect(view: ImageSource, scene: object | null, isExtra = false): Promise<Detected> {
    const [line] = this.#lines
      .filter(({ connection }) => connection !== null)
      .toSorted((a, b) => a.asked - b.asked);
    if (!line?.connection) throw new PeerFailure('no vision host is reachable');
    const { peer, limits } = line.connection;
    line.asked += 1;
    const startedAtMs = this.#clock.monotonicMs();
    let [waitedMs, cpuMs] = [0, 0];
    const ask: Ask = async <H>(request: FindRequest | DescribeRequest, body: Buffer) => {
      const askedAtMs = this.#clock.monotonicMs();
      const answer = await peer.request<Metered<H>>(request, requestTimeoutMs, body);
      waitedMs += this.#clock.monotonicMs() - askedAtMs;
      cpuMs += answer.head.cpuMs;
      return answer;
    };
    try {
      const { faces, chips } = await findFaces(view, {
        ...limits,
        find: (tiles) => find(ask, tiles),
        describe: (crops) => describe(ask, crops),
        isExtra,
        ...(scene && this.#earlierIn(scene, limits)),
      });
      const ownMs = this.#clock.monotonicMs() - startedAtMs - waitedMs;
      return { reply: { faces }, chips, costMs: cpuMs + ownMs };
    } finally {
      line.asked -= 1;
    }
  }

  /** What the pack of this host does not use is left out: the next one may. */
  #earlierIn(scene: object, { confirmsNew }: LimitsReply): Partial<Earlier> {
    const earlier = this.#earlier.get(scene) ?? {
      falsePositives: new FalsePositives(),
      recentFaces: new RecentFaces(),
      steadyFaces: new SteadyFaces(),
    };
    this.#earlier.set(scene, earlier);
    const { falsePositives } = earlier;
    return confirmsNew ? earlier : { falsePositives };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const { connection } of this.#lines) connection?.peer.close();
    await this.#running;
  }

  async #keepConnected(line: Line): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      const closed = Promise.withResolvers<void>();
      const peer = await dial(line.socketPath, { closed: () => closed.resolve() }).catch(
        () => null,
      );
      const limits = peer && !signal.aborted && (await limitsOf(peer));
      if (peer && limits && !signal.aborted) {
        failures = 0;
        line.connection = { peer, limits };
        await closed.promise;
        line.connection = null;
      }
      peer?.close();
      failures += 1;
      // A host is back 0.5 s after it died; dialling a missing socket costs next to nothing.
      const delayMs = backoffMs({ firstMs: 50, maxMs: 1_000 }, failures, Math.random);
      await this.#clock.wait(delayMs, signal).catch(() => undefined);
    }
  }
}

/** Null when the host does not answer: it has ended, or is about to. */
async function limitsOf(peer: Peer): Promise<LimitsReply | null> {
  const asked = peer.request<LimitsReply>({ kind: 'limits' }, requestTimeoutMs);
  return asked.then(({ head }) => head).catch(() => null);
}

async function find(ask: Ask, shown: readonly Shown[]): Promise<readonly Detection[]> {
  const tiles = shown.map(({ part, nearest, afar, width, height }) => ({
    part,
    nearest,
    afar,
    width,
    height,
  }));
  const request: FindRequest = { kind: 'find', tiles };
  const body = Buffer.concat(shown.map(({ rgb }) => rgb));
  return (await ask<FindReply>(request, body)).head.found;
}

async function describe(ask: Ask, crops: readonly FaceCropPixels[]): Promise<Found> {
  const cuttings: FaceCrop[] = crops.map((crop) => {
    const { rgb: _, ...rest } = crop;
    return rest;
  });
  const request: DescribeRequest = { kind: 'describe', cuttings };
  const body = Buffer.concat(crops.map(({ rgb }) => rgb));
  const answer = await ask<DetectReply>(request, body);
  return { faces: answer.head.faces, chips: answer.body };
}
