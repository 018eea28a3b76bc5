/**
 * Devices as Home Assistant's discovery by device describes them: `dev`, `o` (origin) and `cmps` (entities by a key, each
 * with platform and unique id). Several messages may be about one device: that of the people has one for each person,
 * so that one of them can be taken back alone. Pure.
 */
import { ingestStates } from '@nazar/contract/cameras.ts';
import { houseModes } from '@nazar/contract/house-mode.ts';
import { offline, online, type Place } from './topics.ts';
import type { SentCamera, SentPerson } from './world.ts';

/** What becomes of an alert, as its messages name it. */
export const alertSteps = ['raised', 'going_on', 'acknowledged', 'over'] as const;
export type AlertStep = (typeof alertSteps)[number];

export function houseDevice(place: Place): object {
  const { topics, node } = place;
  return {
    ...device(place, { ids: [node], name: 'Nazar', mf: 'Nazar', sw: place.version }),
    cmps: {
      mode: {
        p: 'select',
        unique_id: `${node}_mode`,
        name: 'Mode',
        icon: 'mdi:home-lock',
        state_topic: topics.mode,
        command_topic: topics.setMode,
        options: houseModes,
        ...available(place),
      },
      open_alerts: {
        p: 'sensor',
        unique_id: `${node}_open_alerts`,
        name: 'Open alerts',
        icon: 'mdi:bell-alert',
        state_topic: topics.openAlerts,
        value_template: '{{ value_json.total }}',
        json_attributes_topic: topics.openAlerts,
        state_class: 'measurement',
        ...available(place),
      },
      alert: { ...alertEvent(topics.alert, `${node}_alert`), ...available(place) },
      status: {
        p: 'binary_sensor',
        unique_id: `${node}_status`,
        name: 'Status',
        device_class: 'connectivity',
        entity_category: 'diagnostic',
        state_topic: topics.status,
        payload_on: online,
        payload_off: offline,
      },
    },
  };
}

export function cameraDevice(place: Place, { id, name }: SentCamera): object {
  const { node } = place;
  const topics = place.topics.ofCamera(id);
  const unique = `${node}_camera_${id}`;
  return {
    ...device(place, { ids: [unique], name, mf: 'Nazar', via_device: node }),
    cmps: {
      connected: {
        p: 'binary_sensor',
        unique_id: `${unique}_connected`,
        name: 'Connected',
        device_class: 'connectivity',
        state_topic: topics.state,
        value_template: "{{ 'ON' if value == 'live' else 'OFF' }}",
        ...available(place),
      },
      state: {
        p: 'sensor',
        unique_id: `${unique}_state`,
        name: 'State',
        device_class: 'enum',
        entity_category: 'diagnostic',
        options: ingestStates,
        state_topic: topics.state,
        ...available(place),
      },
      recording: {
        p: 'binary_sensor',
        unique_id: `${unique}_recording`,
        name: 'Recording',
        icon: 'mdi:record-rec',
        state_topic: topics.recording,
        ...available(place),
      },
      alert: { ...alertEvent(topics.alert, `${unique}_alert`), ...available(place) },
    },
  };
}

export function personDevice(place: Place, { id, name }: SentPerson): object {
  const { node, topics } = place;
  const ids = [`${node}_people`];
  return {
    ...device(place, { ids, name: 'Nazar people', mf: 'Nazar', via_device: node }),
    cmps: {
      last_seen: {
        p: 'sensor',
        unique_id: `${node}_person_${id}_last_seen`,
        name,
        icon: 'mdi:account-clock',
        device_class: 'timestamp',
        state_topic: topics.lastSeen(id),
        value_template: '{{ value_json.at }}',
        json_attributes_topic: topics.lastSeen(id),
        ...available(place),
      },
    },
  };
}

const device = ({ version }: Place, dev: object): object => ({
  dev,
  o: { name: 'Nazar', sw: version },
  qos: 1,
});

const available = ({ topics }: Place): object => ({
  availability_topic: topics.status,
  payload_available: online,
  payload_not_available: offline,
});

/** Each message of an alert is JSON with `event_type`, whose other fields become attributes. */
const alertEvent = (topic: string, unique: string): object => ({
  p: 'event',
  unique_id: unique,
  name: 'Alert',
  icon: 'mdi:bell-ring',
  state_topic: topic,
  event_types: alertSteps,
});
