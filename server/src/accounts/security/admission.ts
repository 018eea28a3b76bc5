/** Whether an account may be used from an address, by the current policies of the installation and of its owner. */
import { Problem } from '#lib/problem.ts';
import { allowsAddress } from '#http/address-list.ts';
import type { Settings } from '#settings/settings.ts';
import { policyOf, usualPolicy, type Policy } from './policy.ts';
import type { SecurityStore } from './store.ts';

export class Admission {
  readonly #settings: Pick<Settings, 'get'>;
  readonly #store: Pick<SecurityStore, 'policies'>;

  constructor(settings: Pick<Settings, 'get'>, store: Pick<SecurityStore, 'policies'>) {
    this.#settings = settings;
    this.#store = store;
  }

  async policyFor(userId: string): Promise<Policy> {
    return (await this.policiesFor([userId])).get(userId)!;
  }

  /** The policy of each of these users. */
  async policiesFor(userIds: readonly string[]): Promise<Map<string, Policy>> {
    if (userIds.length === 0) return new Map();
    const [system, own] = await Promise.all([
      this.#settings.get('security'),
      this.#store.policies(userIds),
    ]);
    return new Map(userIds.map((id) => [id, policyOf(system, own.get(id) ?? usualPolicy)]));
  }

  /** Runs before any comparison: a refused address learns nothing about accounts. Throws address_not_allowed. */
  async mustBeInside(ip: string): Promise<void> {
    const { allowedIPs } = await this.#settings.get('security');
    if (!allowsAddress(allowedIPs, ip)) throw new Problem('address_not_allowed');
  }
}
