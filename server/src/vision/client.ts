/**
 * How a media host shows pictures to the vision hosts. Keeps a connection to each, gives a picture to the
 * one with the least to do, and says at once when there is none: the newest picture wins, so a picture
 * that cannot be looked at now is dropped by the caller, not kept.
 */
import { dial } from '#lib/host.ts';
import { backoffMs } from '#lib/backoff.ts';
import type { Clock } from '#lib/clock.ts';
import { PeerFailure, type Peer } from '#lib/wire.ts';
import type { DetectReply, DetectRequest, Rect } from './messages.ts';
import type { Picture } from './picture.ts';

export interface Look extends Picture {
  /** Where something moved; empty means look everywhere. */
  readonly regions: readonly Rect[];
  /** As in DetectRequest. */
  readonly glimpse?: boolean;
}

export interface Seen {
  readonly reply: DetectReply;
  /** Chips one after another; FaceView.chip counts them. */
  readonly chips: Buffer;
}

/** A look takes 8 ms (640x360) to 40 ms; a host this late hangs and will be killed by the server's watch. */
const lookTimeoutMs = 2_000;

interface Line {
  readonly socketPath: string;
  peer: Peer | null;
  asked: number;
}

export class VisionClient implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  readonly #lines: Line[];
  readonly #running: Promise<unknown>;

  constructor(sockets: readonly string[], clock: Clock) {
    this.#clock = clock;
    this.#lines = sockets.map((socketPath) => ({ socketPath, peer: null, asked: 0 }));
    this.#running = Promise.all(this.#lines.map((line) => this.#keepConnected(line)));
  }

  /** How many hosts can be asked now. */
  get reachable(): number {
    return this.#lines.filter(({ peer }) => peer !== null).length;
  }

  /** True when a host has nothing to do: the moment to take the newest picture. */
  get free(): boolean {
    return this.#lines.some(({ peer, asked }) => peer !== null && asked === 0);
  }

  /** Rejects with PeerFailure when no host is reachable or the asked one fails. */
  async look({ width, height, rgb, regions, glimpse = false }: Look): Promise<Seen> {
    const [line] = this.#lines
      .filter(({ peer }) => peer !== null)
      .toSorted((a, b) => a.asked - b.asked);
    if (!line?.peer) throw new PeerFailure('no vision host is reachable');
    const { peer } = line;
    const request: DetectRequest = { kind: 'detect', width, height, regions, glimpse };
    line.asked += 1;
    try {
      const answer = await peer.request<DetectReply>(request, lookTimeoutMs, rgb);
      return { reply: answer.head, chips: answer.body };
    } finally {
      line.asked -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const { peer } of this.#lines) peer?.close();
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
      if (peer && !signal.aborted) {
        failures = 0;
        line.peer = peer;
        await closed.promise;
        line.peer = null;
      }
      peer?.close();
      failures += 1;
      // A host is back 0.5 s after it died; asking a missing socket costs next to nothing.
      const delayMs = backoffMs({ firstMs: 50, maxMs: 1_000 }, failures, Math.random);
      await this.#clock.wait(delayMs, signal).catch(() => undefined);
    }
  }
}
