/** Whether an account may be used from where somebody is, as the installation and its owner have it now (SEC-012, H-23). */
import { Problem } from '#lib/problem.ts';
import { allowsAddress } from '#http/address-list.ts';
import type { Settings } from '#settings/settings.ts';
import { policyOf, type Policy } from './policy.ts';
import type { SecurityStore } from './store.ts';

export class Admission {
  readonly #settings: Pick<Settings, 'get'>;
  readonly #store: Pick<SecurityStore, 'policy'>;

  constructor(settings: Pick<Settings, 'get'>, store: Pick<SecurityStore, 'policy'>) {
    this.#settings = settings;
    this.#store = store;
  }

  async policyFor(userId: string): Promise<Policy> {
    const [system, own] = await Promise.all([
      this.#settings.get('security'),
      this.#store.policy(userId),
    ]);
    return policyOf(system, own);
  }

  /** Runs before any comparison, so that a refused address learns nothing of accounts. Throws address_not_allowed. */
  async mustBeInside(ip: string): Promise<void> {
    const { allowedIPs } = await this.#settings.get('security');
    if (!allowsAddress(allowedIPs, ip)) throw new Problem('address_not_allowed');
  }
}
