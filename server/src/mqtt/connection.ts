/**
 * One connection to a broker, from its dial to its end. The address is resolved and checked before, and what is dialed is
 * what was checked. It is never repaired: who holds it begins another one.
 */
import { MqttClient, type IClientOptions } from 'mqtt';
import type { MqttSettings } from '@nazar/contract/mqtt.ts';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { dial, type Destination, type Dialer } from '#media/sources/dial/dial.ts';
import { BrokerFault, faultOf } from './fault.ts';
import { destinationOf } from './broker-url.ts';
import { offline } from './topics.ts';

export interface Broker {
  readonly settings: Pick<MqttSettings, 'url' | 'protocol' | 'username' | 'ca' | 'client_id'>;
  readonly password: string;
  readonly policy: Dialer['policy'];
}

export interface Received {
  readonly topic: string;
  readonly text: string;
  /** The broker kept it from before. */
  readonly isRetained: boolean;
}

export interface ConnectOptions {
  readonly broker: Broker;
  /** The topic that says `offline` when the connection is over; null: none (a test of the settings). */
  readonly statusTopic: string | null;
  readonly received: (message: Received) => void;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'wait'>;
  readonly log: Log;
}

const answerTimeoutMs = 10_000;
const keepaliveS = 30;
/** Messages to us are of one word; a broker of MQTT 5 sends no longer ones. */
const maxPacketBytes = 4_096;
/** The time that a broker has to take our farewell. */
const farewellMs = 2_000;

/** A broker of MQTT 5 says so to the older of two clients with one id. */
const takenOver = 142;

export class Connection implements AsyncDisposable {
  /** Resolves when it is over. */
  readonly ended: Promise<BrokerFault>;
  readonly #client: MqttClient;
  readonly #clock: Pick<Clock, 'wait'>;
  #isOver = false;

  constructor(client: MqttClient, clock: Pick<Clock, 'wait'>) {
    this.#client = client;
    this.#clock = clock;
    let fault = new BrokerFault('lost');
    client.once('disconnect', ({ reasonCode }) => {
      if (reasonCode === takenOver) fault = new BrokerFault('client_refused');
    });
    this.ended = new Promise((resolve) => {
      client.once('close', () => {
        this.#isOver = true;
        // Calls that wait for an acknowledgement end now.
        client.end(true);
        resolve(fault);
      });
    });
  }

  /** Resolves when the broker has it. Throws BrokerFault when the connection is over. */
  async publish(topic: string, payload: string, { retain }: { retain: boolean }): Promise<void> {
    if (this.#isOver) throw new BrokerFault('lost');
    await this.#client.publishAsync(topic, payload, { qos: 1, retain }).catch((error: unknown) => {
      // A broker of MQTT 5 says so where a user may not write.
      throw new BrokerFault(this.#isOver ? 'lost' : 'refused', error);
    });
  }

  async subscribe(topics: readonly string[]): Promise<void> {
    await this.#client.subscribeAsync([...topics], { qos: 1 }).catch((error: unknown) => {
      throw new BrokerFault(this.#isOver ? 'lost' : 'refused', error);
    });
  }

  /** Ends it in order: the broker does not publish the last will. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    const ending = this.#client.endAsync().catch(() => undefined);
    await awaitAtMost(this.#clock, ending, farewellMs);
    this.#client.stream.destroy();
  }
}

/** Throws BrokerFault. */
export async function openConnection(options: ConnectOptions): Promise<Connection> {
  const { broker, signal } = options;
  try {
    const to: Destination = destinationOf(broker.settings.url);
    const { ca } = broker.settings;
    const socket = await dial(to, { policy: broker.policy, ...(ca && { ca }) }, signal);
    const client = new MqttClient(() => socket, optionsOf(options));
    return await letIn(client, options);
  } catch (error) {
    throw faultOf(error);
  }
}

function letIn(
  client: MqttClient,
  { received, signal, clock, log }: ConnectOptions,
): Promise<Connection> {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const aborted = (): void => void client.end(true);
  signal.addEventListener('abort', aborted, { once: true });
  client.on('message', (topic, payload, { retain }) =>
    received({ topic, text: payload.toString('utf8'), isRetained: retain }),
  );
  client.on('error', (error) => {
    log.debug({ reason: error.message }, 'a connection to the broker failed');
    reject(error);
    client.stream.destroy();
  });
  client.once('close', () => reject(new BrokerFault('not_mqtt')));
  client.once('connect', () => resolve(new Connection(client, clock)));
  return promise.finally(() => signal.removeEventListener('abort', aborted));
}

function optionsOf({ broker, statusTopic }: ConnectOptions): IClientOptions {
  const { settings, password } = broker;
  const isFive = settings.protocol === '5';
  const will = statusTopic && {
    topic: statusTopic,
    payload: Buffer.from(offline),
    qos: 1 as const,
    retain: true,
  };
  return {
    protocolVersion: isFive ? 5 : 4,
    clientId: settings.client_id,
    clean: true,
    keepalive: keepaliveS,
    connectTimeout: answerTimeoutMs,
    // The next connection is ours to make: its address is resolved and checked again.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    ...(settings.username !== '' && { username: settings.username }),
    ...(settings.username !== '' && password !== '' && { password }),
    ...(will && { will }),
    ...(isFive && { properties: { maximumPacketSize: maxPacketBytes } }),
  };
}
