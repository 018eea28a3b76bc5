/**
 * MQTT: sends a broker what cameras do, the mode of the house, and alerts, and takes the mode from it. Nothing of people
 * is sent but what an administrator chose, and all that a broker keeps for us is taken back when it is no longer so. This
 * module decides nothing of alerts, and keeps no messages: what the broker misses for longer than minutes is dropped.
 */
import type { Mqtt as MqttAnswer, MqttFault, MqttFields } from '@nazar/contract/mqtt.ts';
import type { Activity } from '#activity/activity.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Database } from '#db/database.ts';
import type { Faces } from '#faces/faces.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { everywhere, policyOf } from '#media/protocol/own-addresses.ts';
import type { Visits } from '#visits/visits.ts';
import { AlertQueue } from './alert-queue.ts';
import { openConnection } from './connection.ts';
import { faultOf } from './fault.ts';
import { ModeCommands } from './mode-commands.ts';
import { MqttRunner } from './mqtt-runner.ts';
import { MqttSettingsBook } from './settings.ts';
import { MqttStore } from './store.ts';
import { World } from './world.ts';

/** News of which only that it came is of use here. */
interface Wakes {
  on(read: () => void): Disposable;
}

export interface MqttOptions {
  readonly db: Database;
  readonly key: SecretKey;
  readonly activity: Pick<Activity, 'record'>;
  readonly cameras: Pick<Cameras, 'names' | 'doingOf'> & { readonly changed: Wakes };
  readonly media: { readonly healthChanged: Wakes; readonly recorded: Wakes };
  readonly recordings: { readonly changed: Wakes };
  readonly alerts: Pick<Alerts, 'changed' | 'lists' | 'house'>;
  readonly faces: Pick<Faces, 'inCategories' | 'categories'> & { readonly changed: Wakes };
  readonly visits: Pick<Visits, 'lastSeen' | 'details' | 'seen'>;
  /** Ports of ours, where no broker is. */
  readonly ownPorts: readonly number[];
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

export class Mqtt implements AsyncDisposable {
  readonly #options: MqttOptions;
  readonly #store: MqttStore;
  readonly #settings: MqttSettingsBook;
  readonly #queue = new AlertQueue();
  readonly #commands: ModeCommands;
  readonly #runner: MqttRunner;
  readonly #listening = new DisposableStack();

  constructor(options: MqttOptions) {
    this.#options = options;
    const { db, alerts, clock, log, version } = options;
    this.#store = new MqttStore(db);
    this.#settings = new MqttSettingsBook({ ...options, store: this.#store });
    this.#commands = new ModeCommands({ house: alerts.house, clock, log });
    const world = new World(options);
    this.#runner = new MqttRunner({
      store: this.#store,
      used: () => this.#settings.used(),
      policyOf: (settings) => this.#policyOf(settings.allow_local),
      world,
      queue: this.#queue,
      commands: this.#commands,
      version,
      clock,
      log,
    });
    this.#follow(world);
  }

  async read(): Promise<MqttAnswer> {
    const { settings, hasPassword } = await this.#settings.read();
    const kept = await this.#store.retainedCount();
    const dropped = this.#queue.dropped;
    const status = { ...this.#runner.status, dropped_alerts: dropped, kept_topics: kept };
    return { settings, has_password: hasPassword, status };
  }

  /** Throws mqtt_url_invalid, mqtt_ca_invalid, mqtt_password_required, mqtt_prefixes_same, category_not_found. */
  async change(scope: Scope, fields: MqttFields): Promise<MqttAnswer> {
    await this.#settings.change(scope, fields);
    return this.read();
  }

  /** Why there would be no connection; null: there would be one. Throws what `change` throws. */
  async test(fields: MqttFields): Promise<MqttFault | null> {
    const { clock, log } = this.#options;
    const { settings, password } = await this.#settings.unsaved(fields);
    // Under an id of its own: a broker ends the connection of an older client with the same.
    const tested = { ...settings, client_id: `${settings.client_id}-test` };
    try {
      await using _ = await openConnection({
        broker: { settings: tested, password, policy: this.#policyOf(settings.allow_local) },
        statusTopic: null,
        received: () => undefined,
        signal: new AbortController().signal,
        clock,
        log,
      });
      return null;
    } catch (error) {
      return faultOf(error).fault;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening.dispose();
    await this.#runner[Symbol.asyncDispose]();
    await this.#commands[Symbol.asyncDispose]();
  }

  #follow(world: World): void {
    const { cameras, media, recordings, alerts, faces, visits, clock } = this.#options;
    const runner = this.#runner;
    const camera = (): void => runner.want('cameras');
    const follow = [
      cameras.changed.on(() => {
        world.camerasChanged();
        camera();
      }),
      media.healthChanged.on(camera),
      media.recorded.on(camera),
      recordings.changed.on(camera),
      alerts.house.changed.on(() => runner.want('house')),
      alerts.changed.on((alert) => {
        if (!runner.isHeld) return;
        this.#queue.add(alert, clock.now());
        runner.want('alerts');
      }),
      faces.changed.on(() => {
        world.peopleChanged();
        runner.want('people');
      }),
      visits.seen.on((visit) => runner.visitChanged(visit)),
    ];
    for (const one of follow) this.#listening.use(one);
  }

  /** A broker may be anywhere but where no address is anyone's; on this machine only if that is allowed. */
  #policyOf(allowLoopback: boolean) {
    const { ownPorts } = this.#options;
    return policyOf({ allowLoopback, networks: everywhere, ownPorts });
  }
}
