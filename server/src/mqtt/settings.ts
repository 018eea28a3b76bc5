/** The settings of MQTT: checked, stored with a sealed password, and recorded without secrets. */
import { X509Certificate } from 'node:crypto';
import { mqttFieldNames } from '@nazar/contract/activity-fields.ts';
import type { MqttFields, MqttSettings } from '@nazar/contract/mqtt.ts';
import type { Activity, Actor, Details } from '#activity/activity.ts';
import type { Faces } from '#faces/faces.ts';
import { Problem } from '#lib/problem.ts';
import { SealBroken, type SecretKey } from '#lib/secrets.ts';
import { readBrokerUrl } from './broker-url.ts';
import type { MqttStore, SettingsRow } from './store.ts';

export interface SettingsOptions {
  readonly store: MqttStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly faces: { readonly categories: Pick<Faces['categories'], 'mustExist'> };
  readonly key: SecretKey;
}

/** The settings as they are used. */
export interface UsedSettings {
  readonly settings: MqttSettings;
  readonly password: string;
  readonly node: string;
}

const place = 'mqtt_settings.password';
/** How a broker is reached may hold secrets: that it changed is recorded, not its value. */
const hidden: readonly (keyof MqttSettings)[] = ['url', 'username', 'ca'];

export class MqttSettingsBook {
  readonly #options: SettingsOptions;

  constructor(options: SettingsOptions) {
    this.#options = options;
  }

  async read(): Promise<{ settings: MqttSettings; hasPassword: boolean }> {
    const row = await this.#options.store.settings();
    return {
      settings: settingsOf(row ?? this.#asInstalled()),
      hasPassword: Boolean(row?.password),
    };
  }

  /** A password that does not open counts as none: the broker will say so. */
  async used(): Promise<UsedSettings> {
    const row = (await this.#options.store.settings()) ?? this.#asInstalled();
    return { settings: settingsOf(row), password: this.#opened(row), node: row.node };
  }

  /** Throws what `checked` throws. */
  async change(actor: Actor, fields: MqttFields): Promise<void> {
    const { store, activity, key } = this.#options;
    await this.#check(fields);
    await store.transaction(async (tx) => {
      const before = (await store.settingsForUpdate(tx)) ?? this.#asInstalled();
      const settings = settingsOf(fields);
      const password = this.#passwordOf(before, fields);
      const isKept = password === this.#opened(before);
      const sealed = isKept ? before.password : password ? key.sealText(password, place) : null;
      const row: SettingsRow = { ...settings, password: sealed, node: before.node };
      const changed = changesOf(settingsOf(before), settings, !isKept);
      if (!changed) return;
      await store.save(tx, row);
      const details = { section: 'mqtt', ...changed };
      await activity.record(tx, { actor, action: 'settings.changed', object: null, details });
      await store.announce(tx);
    });
  }

  /** What a form would be connected with; nothing is stored. Throws what `change` throws. */
  async unsaved(fields: MqttFields): Promise<UsedSettings> {
    await this.#check({ ...fields, enabled: true });
    const before = (await this.#options.store.settings()) ?? this.#asInstalled();
    return {
      settings: settingsOf(fields),
      password: this.#passwordOf(before, fields),
      node: before.node,
    };
  }

  /** Throws mqtt_url_invalid, mqtt_ca_invalid, mqtt_prefixes_same, category_not_found, each for its field. */
  async #check(fields: MqttFields): Promise<void> {
    const mayBeEmpty = !fields.enabled && fields.url === '';
    if (!mayBeEmpty && !readBrokerUrl(fields.url)) {
      throw new Problem('mqtt_url_invalid', { field: 'url' });
    }
    if (fields.ca !== '' && !isCertificate(fields.ca)) {
      throw new Problem('mqtt_ca_invalid', { field: 'ca' });
    }
    if (fields.prefix === fields.discovery_prefix) {
      throw new Problem('mqtt_prefixes_same', { field: 'discovery_prefix' });
    }
    for (const id of fields.categories) {
      await this.#options.faces.categories.mustExist(id).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        throw new Problem('category_not_found', { field: 'categories' });
      });
    }
  }

  /**
   * The stored password goes to the broker that it is stored for, under that name, and to no other that a user types.
   * Throws mqtt_password_required.
   */
  #passwordOf(before: SettingsRow, { url, username, password }: MqttFields): string {
    if (username === '') return '';
    if (password !== '') return password;
    if (!before.password) return '';
    if (url !== before.url || username !== before.username) {
      throw new Problem('mqtt_password_required', { field: 'password' });
    }
    return this.#opened(before);
  }

  /** `node` is stored with the first change, and stays. */
  #asInstalled(): SettingsRow {
    const unique = this.#options.key.sign('node').toString('hex').slice(0, 8);
    return {
      enabled: false,
      url: '',
      protocol: '5',
      username: '',
      password: null,
      ca: '',
      allow_local: false,
      client_id: `nazar-${unique}`,
      prefix: 'nazar',
      discovery: true,
      discovery_prefix: 'homeassistant',
      categories: [],
      node: `nazar_${unique}`,
    };
  }

  #opened({ password }: SettingsRow): string {
    if (!password) return '';
    try {
      return this.#options.key.openText(password, place);
    } catch (error) {
      if (error instanceof SealBroken) return '';
      throw error;
    }
  }
}

const settingsOf = (row: MqttSettings): MqttSettings => ({
  enabled: row.enabled,
  url: row.url,
  protocol: row.protocol,
  username: row.username,
  ca: row.ca,
  allow_local: row.allow_local,
  client_id: row.client_id,
  prefix: row.prefix,
  discovery: row.discovery,
  discovery_prefix: row.discovery_prefix,
  categories: [...row.categories],
});

/** Null: nothing changed. */
function changesOf(before: MqttSettings, after: MqttSettings, hasNewPassword: boolean) {
  const names = (Object.keys(after) as (keyof MqttSettings)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const all: readonly (keyof MqttFields)[] = hasNewPassword ? [...names, 'password'] : names;
  const fields = all.map((name) => mqttFieldNames[name]);
  if (fields.length === 0) return null;
  const changes: Details = Object.fromEntries(
    names
      .filter((name) => !hidden.includes(name))
      .map((name) => [mqttFieldNames[name], { from: before[name], to: after[name] }]),
  );
  return { fields, changes };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
