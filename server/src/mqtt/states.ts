/** What stands under each retained topic, by the part of the world that it is about. Pure but for what it reads. */
import type { MqttSettings } from '@nazar/contract/mqtt.ts';
import { cameraDevice, houseDevice, personDevice } from './discovery.ts';
import { Topics, type Place } from './topics.ts';
import type { SentCamera, SentPerson, World } from './world.ts';

export const parts = ['house', 'alerts', 'cameras', 'people'] as const;
export type Part = (typeof parts)[number];
export type Retained = ReadonlyMap<string, string>;

export interface StatesOptions {
  readonly world: World;
  readonly settings: Pick<MqttSettings, 'prefix' | 'discovery' | 'discovery_prefix' | 'categories'>;
  readonly node: string;
  readonly version: string;
}

export class States {
  readonly topics: Topics;
  readonly #options: StatesOptions;

  constructor(options: StatesOptions) {
    this.#options = options;
    this.topics = new Topics(options.settings.prefix);
  }

  async of(part: Part): Promise<Retained> {
    const { world, settings } = this.#options;
    if (part === 'house') {
      const config = this.#config('', (place) => houseDevice(place));
      return new Map([[this.topics.mode, await world.mode()], ...config]);
    }
    if (part === 'alerts') return new Map([[this.topics.openAlerts, await world.openAlerts()]]);
    if (part === 'cameras') {
      return new Map((await world.cameras()).flatMap((camera) => this.#ofCamera(camera)));
    }
    const people = await world.people(settings.categories);
    return new Map(people.flatMap((person) => this.#ofPerson(person)));
  }

  #ofCamera(camera: SentCamera): [string, string][] {
    const topics = this.topics.ofCamera(camera.id);
    return [
      [topics.state, camera.state],
      [topics.recording, camera.isRecording ? 'ON' : 'OFF'],
      ...this.#config(`_camera_${camera.id}`, (place) => cameraDevice(place, camera)),
    ];
  }

  #ofPerson(person: SentPerson): [string, string][] {
    const { seen } = person;
    const config = this.#config(`_person_${person.id}`, (place) => personDevice(place, person));
    if (!seen) return config;
    const camera = { id: seen.cameraId, name: seen.cameraName };
    const payload = JSON.stringify({ at: seen.at.toISOString(), camera });
    return [[this.topics.lastSeen(person.id), payload], ...config];
  }

  /** How a device is described to Home Assistant; nothing where it is not to be. */
  #config(suffix: string, describe: (place: Place) => object): [string, string][] {
    const { settings, node, version } = this.#options;
    if (!settings.discovery) return [];
    const topic = `${settings.discovery_prefix}/device/${node}${suffix}/config`;
    return [[topic, JSON.stringify(describe({ topics: this.topics, node, version }))]];
  }
}
