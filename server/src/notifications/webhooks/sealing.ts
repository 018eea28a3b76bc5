/** Addresses and secrets of webhooks as they are stored. */
import type { SecretKey } from '#lib/secrets.ts';
import type { WebhookRow } from './webhook-store.ts';

export class WebhookSealing {
  readonly #key: SecretKey;

  constructor(key: SecretKey) {
    this.#key = key;
  }

  address(id: string, url: URL): Buffer {
    return this.#key.sealText(url.href, `webhook.address:${id}`);
  }

  secret(id: string, secret: string): Buffer {
    return this.#key.sealText(secret, `webhook.secret:${id}`);
  }

  addressOf({ id, sealed_address: sealed }: Pick<WebhookRow, 'id' | 'sealed_address'>): URL {
    return new URL(this.#key.openText(sealed, `webhook.address:${id}`));
  }

  /** Those that sign at that moment, the newest first. */
  secretsOf(row: WebhookRow, at: Date): string[] {
    const { id, sealed_secret: secret, sealed_old_secret: old, old_secret_until: until } = row;
    const lasting = old !== null && until !== null && until > at ? [secret, old] : [secret];
    return lasting.map((sealed) => this.#key.openText(sealed, `webhook.secret:${id}`));
  }
}
