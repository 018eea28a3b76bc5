/**
 * The key by which push services know this installation (VAPID, RFC 8292). A subscription is bound to it: it is made
 * once, and never changes.
 */
import webPush from 'web-push';
import type { SecretKey } from '#lib/secrets.ts';
import type { PushSettingsStore } from './settings-store.ts';

const place = 'push_settings.private_key';

export interface PushKeysOptions {
  readonly store: PushSettingsStore;
  readonly key: SecretKey;
  /** The public address of this installation, by which a push service reaches its administrators; null: none. */
  readonly publicUrl: string | null;
}

export interface Vapid {
  readonly subject: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

export class PushKeys {
  readonly #options: PushKeysOptions;
  #pair: Promise<Vapid> | null = null;

  constructor(options: PushKeysOptions) {
    this.#options = options;
  }

  /** Browsers let only pages under https receive push messages, and push services ask for such an address. */
  get isAvailable(): boolean {
    return this.#options.publicUrl?.startsWith('https://') === true;
  }

  /** Null: not available. */
  async vapid(): Promise<Vapid | null> {
    if (!this.isAvailable) return null;
    this.#pair ??= this.#read();
    try {
      return await this.#pair;
    } catch (error) {
      this.#pair = null;
      throw error;
    }
  }

  async #read(): Promise<Vapid> {
    const { store, key, publicUrl } = this.#options;
    const stored = (await store.keys()) ?? (await store.addKeys(this.#made()));
    const privateKey = key.openText(stored.sealed_private_key, place);
    return { subject: publicUrl!, publicKey: stored.public_key, privateKey };
  }

  #made() {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const sealed = this.#options.key.sealText(privateKey, place);
    return { public_key: publicKey, sealed_private_key: sealed };
  }
}
