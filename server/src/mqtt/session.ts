/**
 * What goes on over one connection: states are sent whole at first and then as they change, alerts as they come, and
 * what is no longer to be said is taken back. The topics that the broker keeps are written down before it gets them, so
 * that they are taken back by a later connection, whatever happens between.
 */
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { Paced } from '#lib/limits/paced.ts';
import type { Log } from '#lib/log.ts';
import type { ChangedVisit } from '#visits/visits.ts';
import { alertMessage, stepsOf } from './alert-message.ts';
import type { AlertQueue, WaitingAlert } from './alert-queue.ts';
import type { Connection } from './connection.ts';
import { BrokerFault } from './fault.ts';
import { parts, type Part, type Retained, type States } from './states.ts';
import type { MqttStore } from './store.ts';
import { offline, online } from './topics.ts';
import type { World } from './world.ts';

export interface SessionOptions {
  readonly connection: Connection;
  /** Null: MQTT is switched off, and all that the broker keeps is taken back. */
  readonly states: States | null;
  readonly world: World;
  readonly categories: readonly string[];
  readonly queue: AlertQueue;
  readonly store: Pick<MqttStore, 'retained' | 'addRetained' | 'removeRetained'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Changes that come together are sent together. */
const pauseMs = 250;
/** All is read again, in case that news was missed; what is the same is not sent. */
const refreshMs = 30_000;
/** Messages that wait for the broker at once. */
const atOnce = 50;
const alertsAtOnce = 100;

export class Session implements AsyncDisposable {
  readonly #options: SessionOptions;
  readonly #paced: Paced;
  readonly #stop = new AbortController();
  readonly #wanted = new Set<Part>(parts);
  readonly #states = new Map<Part, Retained>();
  /** What was sent over this connection. */
  readonly #sent = new Map<string, string>();
  /** What the broker keeps, as far as is known. */
  #kept = new Set<string>();
  #visits: ChangedVisit[] = [];
  #refreshing: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    const failed = (error: unknown): void => {
      for (const part of parts) this.#wanted.add(part);
      // The connection is over; the next one sends all.
      if (error instanceof BrokerFault && error.fault === 'lost') return;
      options.log.warn({ err: error }, 'states could not be sent to the MQTT broker; it goes on');
    };
    this.#paced = new Paced({ clock: options.clock, pauseMs, failed }, () => this.#pass());
  }

  /** Says that we are there, and sends all states. Throws BrokerFault. */
  async begin(): Promise<void> {
    const { store, states, clock } = this.#options;
    this.#kept = new Set(await store.retained());
    if (states) await this.#send([[states.topics.status, online]]);
    await this.#pass();
    const { signal } = this.#stop;
    this.#refreshing = every(
      { clock, everyMs: refreshMs, signal },
      () => this.want(...parts),
      () => undefined,
    );
  }

  want(...wanted: readonly Part[]): void {
    for (const part of wanted) this.#wanted.add(part);
    this.#paced.want();
  }

  visitChanged(visit: ChangedVisit): void {
    if (this.#options.categories.length === 0) return;
    this.#visits.push(visit);
    this.#paced.want();
  }

  /** Sends everything once more: Home Assistant has started. */
  sendAgain(): void {
    this.#sent.clear();
    this.want(...parts);
  }

  /** Takes back all that the broker keeps. Throws BrokerFault. */
  async clear(): Promise<void> {
    await this.#takeBack([...this.#kept]);
  }

  /** Says that we are leaving. */
  async leave(): Promise<void> {
    const { states } = this.#options;
    if (states) await this.#options.connection.publish(states.topics.status, offline, keep);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#paced[Symbol.asyncDispose]();
    await this.#refreshing;
  }

  async #pass(): Promise<void> {
    const { states } = this.#options;
    if (!states) return this.clear();
    await this.#readVisits();
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    for (const part of wanted) this.#states.set(part, await states.of(part));
    const all = new Map([...this.#states.values()].flatMap((part) => [...part]));
    await this.#send([...all].filter(([topic, payload]) => this.#sent.get(topic) !== payload));
    const isMeant = (topic: string): boolean => all.has(topic) || topic === states.topics.status;
    await this.#takeBack([...this.#kept].filter((topic) => !isMeant(topic)));
    await this.#sendAlerts(states);
  }

  async #readVisits(): Promise<void> {
    const visits = this.#visits;
    if (visits.length === 0) return;
    this.#visits = [];
    if (await this.#options.world.visitsChanged(visits)) this.#wanted.add('people');
  }

  async #send(messages: readonly (readonly [topic: string, payload: string])[]): Promise<void> {
    const { connection, store } = this.#options;
    const added = messages.map(([topic]) => topic).filter((topic) => !this.#kept.has(topic));
    await store.addRetained(added);
    for (const topic of added) this.#kept.add(topic);
    await inGroups(messages, async ([topic, payload]) => {
      await connection.publish(topic, payload, keep);
      this.#sent.set(topic, payload);
    });
  }

  async #takeBack(topics: readonly string[]): Promise<void> {
    const { connection, store } = this.#options;
    await inGroups(topics, (topic) => connection.publish(topic, '', keep));
    await store.removeRetained(topics);
    for (const topic of topics) {
      this.#kept.delete(topic);
      this.#sent.delete(topic);
    }
  }

  async #sendAlerts(states: States): Promise<void> {
    const { queue, clock } = this.#options;
    const waiting = queue.take(clock.now());
    try {
      while (waiting.length > 0) {
        await this.#sendSome(states, waiting.slice(0, alertsAtOnce));
        waiting.splice(0, alertsAtOnce);
      }
    } finally {
      queue.putBack(waiting);
    }
  }

  async #sendSome(states: States, waiting: readonly WaitingAlert[]): Promise<void> {
    const { connection, world, categories } = this.#options;
    const found = await world.alerts(waiting.map(({ id }) => id));
    const alerts = new Map(found.map((alert) => [alert.id, alert]));
    for (const { id, isNew } of waiting) {
      const alert = alerts.get(id);
      if (!alert) continue;
      const visit = alert.face_name === null ? null : alert.visit;
      const person = visit === null ? null : await world.personOf(visit, categories);
      const topics = [
        states.topics.alert,
        ...(alert.camera === null ? [] : [states.topics.ofCamera(alert.camera).alert]),
      ];
      for (const step of stepsOf(alert, isNew)) {
        const message = alertMessage(alert, step, person);
        for (const topic of topics) await connection.publish(topic, message, { retain: false });
      }
    }
  }
}

const keep = { retain: true } as const;

async function inGroups<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += atOnce) {
    await Promise.all(all.slice(from, from + atOnce).map(work));
  }
}
