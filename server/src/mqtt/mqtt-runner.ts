/**
 * Keeps the connection to the broker while there is something to send or to take back. Of several servers on one database
 * one holds it, by a lock that ends with its process.
 */
import type { MqttFault, MqttStatus } from '@nazar/contract/mqtt.ts';
import { backoffMs } from '#lib/backoff.ts';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { ChangedVisit } from '#visits/visits.ts';
import type { AlertQueue } from './alert-queue.ts';
import { openConnection, type Broker, type Received } from './connection.ts';
import { BrokerFault } from './fault.ts';
import type { ModeCommands } from './mode-commands.ts';
import { Session } from './session.ts';
import type { UsedSettings } from './settings.ts';
import { States, type Part } from './states.ts';
import type { MqttStore } from './store.ts';
import type { World } from './world.ts';

export interface MqttRunnerOptions {
  readonly store: MqttStore;
  readonly used: () => Promise<UsedSettings>;
  readonly policyOf: (settings: UsedSettings['settings']) => Broker['policy'];
  readonly world: World;
  readonly queue: AlertQueue;
  readonly commands: ModeCommands;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

const retry = { firstMs: 1_000, maxMs: 60_000 };
/** How soon another server takes over from one that is gone. */
const takeOverMs = 5_000;
/** The database announces changes; this covers announcements that were lost. */
const idleMs = 60_000;

type Status = Pick<MqttStatus, 'state' | 'connected_since' | 'fault'>;

export class MqttRunner implements AsyncDisposable {
  readonly #options: MqttRunnerOptions;
  readonly #stop = new AbortController();
  readonly #listening: Disposable;
  readonly #running: Promise<void>;
  #session: Session | null = null;
  /** The settings that count now; null: they are to be read. */
  #used: UsedSettings | null = null;
  #changed = new AbortController();
  #status: Status = { state: 'off', connected_since: null, fault: null };

  constructor(options: MqttRunnerOptions) {
    this.#options = options;
    this.#listening = options.store.onChanged(() => void this.#follow());
    this.#running = this.#run();
  }

  get status(): Status {
    return this.#status;
  }

  /** Whether alerts are to wait for the broker. */
  get isHeld(): boolean {
    return !['off', 'elsewhere', 'clearing'].includes(this.#status.state);
  }

  want(part: Part): void {
    this.#session?.want(part);
  }

  visitChanged(visit: ChangedVisit): void {
    this.#session?.visitChanged(visit);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening[Symbol.dispose]();
    this.#stop.abort();
    await this.#running;
  }

  /** The database also announces when it may have missed something: what did not change ends no connection. */
  async #follow(): Promise<void> {
    const now = await this.#options.used().catch(() => null);
    if (JSON.stringify(now) !== JSON.stringify(this.#used)) this.#changed.abort();
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#changed = new AbortController();
      const over = AbortSignal.any([signal, this.#changed.signal]);
      let restMs = idleMs;
      try {
        restMs = await this.#once(over);
      } catch (err) {
        log.warn({ err }, 'MQTT waits for the database');
        restMs = takeOverMs;
      }
      await clock.wait(restMs, over).catch(() => undefined);
    }
  }

  /** Returns after how long to look again. */
  async #once(over: AbortSignal): Promise<number> {
    const { store, queue } = this.#options;
    const used = await this.#options.used();
    this.#used = used;
    const { enabled, url } = used.settings;
    if (url === '' || (!enabled && (await store.retainedCount()) === 0)) {
      queue.clear();
      this.#say('off');
      return idleMs;
    }
    await using lock = await store.lock();
    if (!lock) {
      queue.clear();
      this.#say('elsewhere');
      return takeOverMs;
    }
    await this.#hold(used, AbortSignal.any([over, lock.lost]));
    return 0;
  }

  /** Connects again and again until it is over, or all is taken back. */
  async #hold(used: UsedSettings, over: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    for (let failures = 0; !over.aborted;) {
      this.#say(used.settings.enabled ? 'connecting' : 'clearing', this.#status.fault);
      const wasConnected = { since: null as number | null };
      const fault = await this.#connected(used, over, wasConnected).catch(ofBroker);
      if (fault === null || over.aborted) return;
      failures = wasConnected.since === null ? failures + 1 : 1;
      const waitMs = backoffMs(retry, failures, Math.random);
      log.warn({ reason: fault.fault, waitMs }, 'there is no connection to the MQTT broker');
      this.#say(used.settings.enabled ? 'waiting' : 'clearing', fault.fault);
      await clock.wait(waitMs, over).catch(() => undefined);
    }
  }

  /** Returns null when nothing is left to do, else why the connection is over. Throws what `openConnection` throws. */
  async #connected(
    used: UsedSettings,
    over: AbortSignal,
    wasConnected: { since: number | null },
  ): Promise<BrokerFault | null> {
    const { policyOf, world, queue, store, version, clock, log } = this.#options;
    const { settings, node } = used;
    const states = settings.enabled ? new States({ world, settings, node, version }) : null;
    const broker = { settings, password: used.password, policy: policyOf(settings) };
    await using connection = await openConnection({
      broker,
      statusTopic: states?.topics.status ?? null,
      received: (message) => this.#received(message, used, states),
      signal: over,
      clock,
      log,
    });
    const { categories } = settings;
    const parts = { connection, states, world, categories, queue, store, clock, log };
    // What came while there was no session was not followed.
    world.camerasChanged();
    world.peopleChanged();
    await using session = new Session(parts);
    if (states) await connection.subscribe(subscriptionsOf(states, settings));
    await session.begin();
    if (!states) return null;
    wasConnected.since = clock.now();
    this.#session = session;
    this.#say('connected');
    // News that came before there was a session.
    session.want('house', 'alerts', 'cameras', 'people');
    log.info('connected to the MQTT broker');
    const ended = await endOf(connection.ended, over);
    this.#session = null;
    if (ended) return ended;
    await this.#leave(session, settings.url);
    return null;
  }

  /** Ends in order. What a broker keeps that is no longer ours is taken back while it listens. */
  async #leave(session: Session, url: string): Promise<void> {
    const { clock } = this.#options;
    const now = this.#stop.signal.aborted ? null : await this.#options.used().catch(() => null);
    const isLeft = now !== null && now.settings.url !== url;
    const parting = (isLeft ? session.clear() : session.leave()).catch(() => undefined);
    await awaitAtMost(clock, parting, 5_000);
  }

  #received(message: Received, { settings }: UsedSettings, states: States | null): void {
    if (message.topic === states?.topics.setMode) this.#options.commands.receive(message);
    const isBirth = message.topic === birthTopic(settings) && message.text === 'online';
    if (isBirth && !message.isRetained) this.#session?.sendAgain();
  }

  #say(state: Status['state'], fault: MqttFault | null = null): void {
    const isConnected = state === 'connected';
    const since = isConnected ? new Date(this.#options.clock.now()).toISOString() : null;
    this.#status = { state, connected_since: since, fault };
  }
}

/** What is no fault of the broker is thrown again: the database is away. */
function ofBroker(error: unknown): BrokerFault {
  if (error instanceof BrokerFault) return error;
  throw error;
}

/** Home Assistant says here that it has started. */
const birthTopic = ({ discovery_prefix: prefix }: UsedSettings['settings']): string =>
  `${prefix}/status`;

const subscriptionsOf = (states: States, settings: UsedSettings['settings']): string[] => [
  states.topics.setMode,
  ...(settings.discovery ? [birthTopic(settings)] : []),
];

/** Null: the signal came first. */
async function endOf(ended: Promise<BrokerFault>, over: AbortSignal): Promise<BrokerFault | null> {
  const aborted = Promise.withResolvers<null>();
  const abort = (): void => aborted.resolve(null);
  over.addEventListener('abort', abort, { once: true });
  if (over.aborted) abort();
  const first = await Promise.race([ended, aborted.promise]);
  over.removeEventListener('abort', abort);
  return first;
}
