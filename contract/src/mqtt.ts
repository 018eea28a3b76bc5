/** MQTT: what the installation sends to a broker, for Home Assistant and others. */
import { z } from 'zod/mini';
import { Id, Timestamp, maxChars, text } from './fields.ts';
import { route, type Standing } from './route.ts';

export const mqttProtocols = ['5', '3.1.1'] as const;

/** What topics begin with: plain characters only, at most four levels. */
const TopicPrefix = z
  .string()
  .check(z.trim(), z.maxLength(64), z.regex(/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+){0,3}$/));

/** Home Assistant gets the name of each of these people; more are left out. */
export const maxMqttPeople = 1_000;

/** The settings, without the password. */
export const MqttSettings = z.object({
  enabled: z.boolean(),
  /** `mqtt://host:1883` or, over TLS, `mqtts://host:8883`; '' while there is none. */
  url: text(300),
  protocol: z.enum(mqttProtocols),
  /** '': the broker asks for none. */
  username: text(200),
  /** Certificates (PEM) of the authority of the broker; '': the authorities that the system trusts. */
  ca: text(20_000),
  /** The broker may run on this machine. */
  allow_local: z.boolean(),
  client_id: z.string().check(z.trim(), z.regex(/^[A-Za-z0-9_.:-]{1,64}$/)),
  prefix: TopicPrefix,
  /** Whether Home Assistant finds the devices by itself. */
  discovery: z.boolean(),
  discovery_prefix: TopicPrefix,
  /** The categories of people whose names, and when they were last seen, are sent. */
  categories: z.array(Id).check(z.maxLength(100)),
});
export type MqttSettings = z.infer<typeof MqttSettings>;

export const MqttFields = z.extend(MqttSettings, {
  /** '' keeps the stored one for the same address and user name. */
  password: z._default(z.string().check(maxChars(512)), ''),
});
export type MqttFields = z.infer<typeof MqttFields>;
/** As a form has them. */
export type TypedMqttFields = z.input<typeof MqttFields>;

/**
 * Why there is no connection. `not_mqtt`: something else answered, or nothing; `refused`: the broker's own reason;
 * `lost`: a connection that ended.
 */
export const mqttFaults = [
  'unreachable',
  'address_refused',
  'certificate_refused',
  'password_refused',
  'protocol_refused',
  'client_refused',
  'not_mqtt',
  'refused',
  'lost',
] as const;
export const MqttFault = z.enum(mqttFaults);
export type MqttFault = z.infer<typeof MqttFault>;

/**
 * `waiting`: the next try comes by itself; `elsewhere`: another server of this installation is connected; `clearing`:
 * MQTT is switched off, and what the broker still keeps is being taken back.
 */
export const mqttStates = [
  'off',
  'connecting',
  'connected',
  'waiting',
  'elsewhere',
  'clearing',
] as const;

export const MqttStatus = z.object({
  state: z.enum(mqttStates),
  connected_since: z.nullable(Timestamp),
  /** The last attempt failed because of this; null: there was no fault. */
  fault: z.nullable(MqttFault),
  /** Alerts since the server started that the broker was too long away for. */
  dropped_alerts: z.int(),
  /** Topics that the broker keeps for us, as far as is known. */
  kept_topics: z.int(),
});
export type MqttStatus = z.infer<typeof MqttStatus>;

export const Mqtt = z.object({
  settings: MqttSettings,
  has_password: z.boolean(),
  status: MqttStatus,
});
export type Mqtt = z.infer<typeof Mqtt>;

const fullAdministrators: readonly Standing[] = ['admin', 'superadmin'];
const ofFields = [
  'mqtt_url_invalid',
  'mqtt_ca_invalid',
  'mqtt_password_required',
  'mqtt_prefixes_same',
  'category_not_found',
] as const;

export const mqttRoutes = {
  read: route({
    method: 'GET',
    path: '/secure-api/mqtt/',
    summary: 'The settings of MQTT without the password, and how the connection is.',
    callers: fullAdministrators,
    reply: Mqtt,
  }),
  change: route({
    method: 'PUT',
    path: '/secure-api/mqtt/',
    summary: 'Changes the settings of MQTT; the connection follows at once.',
    callers: fullAdministrators,
    body: MqttFields,
    status: 200,
    reply: Mqtt,
    fieldProblems: ofFields,
  }),
  test: route({
    method: 'POST',
    path: '/secure-api/mqtt/test/',
    summary: 'Connects to a broker with these settings, sends nothing, and stores nothing.',
    callers: fullAdministrators,
    body: MqttFields,
    status: 200,
    /** `fault` null: the broker let us in. */
    reply: z.object({ fault: z.nullable(MqttFault) }),
    fieldProblems: ofFields,
  }),
};
