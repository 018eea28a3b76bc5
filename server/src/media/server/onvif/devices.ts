/**
 * ONVIF cameras, asked for a user: discovery, the streams of one, and its movements. This file decides who may ask what
 * and how often, in the server; media workers make the requests.
 */
import type { DeviceDescription, DeviceLogin, FoundDevice } from '@nazar/contract/devices.ts';
import type { Movement, Movements } from '@nazar/contract/movements.ts';
import type { Activity } from '#activity/activity.ts';
import type { Reaching, ReachableCamera } from '#cameras/cameras.ts';
import { RequestLimits } from '#http/request-limits.ts';
import { accountOf, type Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { Problem } from '#lib/problem.ts';
import { WorkerLost, type Workers } from '../workers.ts';
import type {
  AskDevice,
  AskDiscovery,
  AskMove,
  DeviceAddress,
  DiscoveryAnswer,
  MoveAnswer,
  MoveTarget,
  WorkerReach,
} from '../../protocol/worker-messages.ts';

/** At this rate a caller cannot map a network (C-513). */
const searchesPerMinute = 10;
/** A pressed button asks once a second. */
const movesPerMinute = 240;
/** A user moves a camera many times in a row: the activity log gets one entry an hour. */
const movedMs = 60 * 60_000;
/** A device may be changed: what is known about it is asked again after so long. */
const knownMs = 10 * 60_000;
/** A little more than a worker takes for it, also one that has to start while both cores are busy. */
const answerTimeoutMs = 15_000;

const failed = { outcome: 'failed' } as const;

export interface DevicesOptions {
  readonly cameras: { readonly reaching: Pick<Reaching, 'toAskDevice' | 'toMove'> };
  readonly activity: Pick<Activity, 'recordRead'>;
  readonly workers: Pick<Workers, 'ask'>;
  readonly reach: WorkerReach;
  /** Where the probe of a discovery goes, and how long answers are awaited. */
  readonly discovery: Pick<AskDiscovery, 'to' | 'waitMs'>;
  readonly clock: Clock;
}

interface Known {
  readonly target: MoveTarget;
  readonly url: string;
  readonly atMs: number;
}

export class Devices {
  readonly #options: DevicesOptions;
  readonly #searches: RequestLimits;
  readonly #moves: RequestLimits;
  readonly #known = new Map<string, Known>();

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.#searches = new RequestLimits(options.clock, searchesPerMinute);
    this.#moves = new RequestLimits(options.clock, movesPerMinute);
  }

  /** Throws too_many_requests. */
  async discover(scope: Scope): Promise<FoundDevice[]> {
    this.#searches.ofAccount(scope.userId, scope.ip, false);
    const { workers, reach, discovery } = this.#options;
    const question: AskDiscovery = { kind: 'discovery', reach, ...discovery };
    const timeoutMs = discovery.waitMs + answerTimeoutMs;
    const account = accountOf(scope);
    const { head } = await workers.ask<DiscoveryAnswer>(question, timeoutMs, { account });
    return head.devices;
  }

  /** Throws camera_not_found, too_many_requests. */
  async describe(scope: Scope, login: DeviceLogin): Promise<DeviceDescription> {
    const device = await this.#options.cameras.reaching.toAskDevice(scope, login);
    this.#searches.ofAccount(scope.userId, scope.ip, false);
    const { workers, reach } = this.#options;
    const question: AskDevice = { kind: 'device', reach, device };
    const account = accountOf(scope);
    const asked = workers.ask<DeviceDescription>(question, answerTimeoutMs, { account });
    return headOr(asked, { ...failed, manufacturer: '', model: '', streams: [], moves: false });
  }

  /** Throws camera_not_found, forbidden, too_many_requests. */
  async movements(scope: Scope, cameraId: string): Promise<Movements> {
    const camera = await this.#options.cameras.reaching.toMove(scope, cameraId);
    if (camera.deviceUrl === '') return { outcome: 'found', moves: false, presets: [] };
    this.#moves.ofAccount(scope.userId, scope.ip, false);
    const { outcome, target, presets } = await this.#ask(scope, camera, null);
    return { outcome, moves: target !== null, presets };
  }

  /** Throws camera_not_found, forbidden, too_many_requests, camera_cannot_move, camera_not_moved. */
  async move(scope: Scope, cameraId: string, movement: Movement): Promise<void> {
    const camera = await this.#options.cameras.reaching.toMove(scope, cameraId);
    if (camera.deviceUrl === '') throw new Problem('camera_cannot_move');
    // A moving camera can always be stopped, whatever the limit.
    if (movement.kind !== 'stop') this.#moves.ofAccount(scope.userId, scope.ip, false);
    const object = { type: 'camera', id: camera.id } as const;
    const entry = { actor: scope, action: 'camera.moved', object } as const;
    await this.#options.activity.recordRead(entry, { withinMs: movedMs });
    const { outcome, target } = await this.#ask(scope, camera, movement);
    if (outcome !== 'found') throw new Problem('camera_not_moved');
    if (target === null) throw new Problem('camera_cannot_move');
  }

  async #ask(
    scope: Scope,
    camera: ReachableCamera,
    movement: Movement | null,
  ): Promise<MoveAnswer> {
    const { workers, reach, clock } = this.#options;
    const { id, deviceUrl: url, username, password } = camera;
    const device: DeviceAddress = { url, username, password };
    const known = this.#known.get(id);
    const isFresh = known?.url === url && clock.monotonicMs() - known.atMs < knownMs;
    const target = isFresh ? known.target : null;
    const question: AskMove = { kind: 'movement', reach, device, target, movement };
    const account = accountOf(scope);
    const asked = workers.ask<MoveAnswer>(question, answerTimeoutMs, { account });
    const answer = await headOr(asked, { ...failed, target: null, presets: [] });
    if (answer.target === null) this.#known.delete(id);
    else if (!isFresh)
      this.#known.set(id, { target: answer.target, url, atMs: clock.monotonicMs() });
    return answer;
  }
}

/** `lost`: the answer for a device on which a worker died. */
async function headOr<A>(asked: Promise<{ readonly head: A }>, lost: A): Promise<A> {
  try {
    return (await asked).head;
  } catch (error) {
    if (error instanceof WorkerLost) return lost;
    throw error;
  }
}
