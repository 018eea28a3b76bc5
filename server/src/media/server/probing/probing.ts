/**
 * Connection tests of cameras, for a user: what may be tested, how often, and what is reported, in the server. Media
 * workers make the connections.
 */
import type { ConnectionOutcome, ConnectionTest, UnsavedAddress } from '@nazar/contract/probing.ts';
import { demoUrl, type Reaching, type UnsavedCamera } from '#cameras/cameras.ts';
import { RequestLimits } from '#http/request-limits.ts';
import { accountOf, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { WorkerLost, type Workers } from '../workers.ts';
import type {
  AskConnection,
  ConnectionAnswer,
  WorkerReach,
} from '../../protocol/worker-messages.ts';
import type { Reachable } from '../../protocol/messages.ts';

/** At this rate a caller cannot map a network (C-513). */
const perMinute = 10;
/** The time of an answer must not reveal whether a port is closed or filtered. */
const jitterMs = 400;

/** The result of a test without its sentence. */
export type Tested = Omit<ConnectionTest, 'message'> & { readonly name: string };

export interface ProbingOptions {
  readonly cameras: { readonly reaching: Pick<Reaching, 'toReach' | 'toReachUnsaved'> };
  readonly workers: Pick<Workers, 'ask'>;
  readonly reach: WorkerReach;
  /** The video file that the demo camera plays; null where there is none. */
  readonly demoFilm: string | null;
  readonly clock: Clock;
  readonly random?: () => number;
}

export class Probing {
  readonly #options: ProbingOptions;
  readonly #limits: RequestLimits;

  constructor(options: ProbingOptions) {
    this.#options = options;
    this.#limits = new RequestLimits(options.clock, perMinute);
  }

  /** Throws camera_not_found, too_many_requests. */
  async test(scope: Scope, id: string, timeoutMs: number): Promise<Tested> {
    const camera = await this.#options.cameras.reaching.toReach(scope, id);
    return this.#test(scope, camera, timeoutMs, false);
  }

  /** Throws camera_not_found, camera_url_refused, too_many_requests. */
  async testUnsaved(scope: Scope, form: UnsavedAddress, timeoutMs: number): Promise<Tested> {
    const camera = await this.#options.cameras.reaching.toReachUnsaved(scope, form);
    // A camera that is edited may have masks, which a test does not know.
    return this.#test(scope, camera, timeoutMs, form.camera === undefined);
  }

  async #test(
    scope: Scope,
    camera: UnsavedCamera,
    timeoutMs: number,
    wantsStill: boolean,
  ): Promise<Tested> {
    // Without an address there is nothing to probe.
    if (camera.url === '') return testResult(camera.name, 'no_url', null);
    this.#limits.ofAccount(scope.userId, scope.ip, false);
    const reply = await this.#ask(accountOf(scope), camera, timeoutMs, wantsStill);
    const answer = reply?.head ?? null;
    const outcome = answer === null ? 'failed' : answer.cause;
    if (outcome === 'none') {
      const still = reply && reply.body.length > 0 ? reply.body.toString('base64') : null;
      return { ...testResult(camera.name, 'connected', answer), still };
    }
    const { clock, random = Math.random } = this.#options;
    await clock.wait(random() * jitterMs);
    return testResult(camera.name, outcome, answer);
  }

  /** Null when the worker died. */
  async #ask(
    account: string,
    camera: UnsavedCamera,
    timeoutMs: number,
    wantsStill: boolean,
  ): Promise<{ readonly head: ConnectionAnswer; readonly body: Buffer } | null> {
    const { workers, reach } = this.#options;
    const question: AskConnection = {
      kind: 'connection',
      reach,
      camera: this.#asReachable(camera),
      timeoutMs,
      wantsStill,
    };
    try {
      // A source that cannot be ended in time ends with its process.
      return await workers.ask<ConnectionAnswer>(question, 2 * timeoutMs, { account });
    } catch (error) {
      if (error instanceof WorkerLost) return null;
      throw error;
    }
  }

  #asReachable({ type, url, username, password, certificate }: UnsavedCamera): Reachable {
    const { demoFilm } = this.#options;
    if (url !== demoUrl || demoFilm === null) return { type, url, username, password, certificate };
    return { type: 'file', url: demoFilm, username: '', password: '', certificate: '' };
  }
}

function testResult(
  name: string,
  outcome: ConnectionOutcome,
  answer: ConnectionAnswer | null,
): Tested {
  return {
    name,
    success: outcome === 'connected',
    outcome,
    latency_ms: answer?.latencyMs ?? null,
    content_type: answer?.contentType ?? null,
    codec: answer?.codec ?? null,
    width: answer?.width ?? null,
    height: answer?.height ?? null,
    fps: answer?.fps ?? null,
    still: null,
  };
}
