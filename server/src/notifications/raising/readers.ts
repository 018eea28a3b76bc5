/** The accounts that may sign in, with what each may see and wishes to be notified of. */
import type { Accounts } from '#accounts/accounts.ts';
import type { Cameras } from '#cameras/cameras.ts';
import { createScope, noGrants, type Scope } from '#http/scope.ts';
import type { WishesStore } from '../settings/settings-store.ts';
import { firstWishes, type Wishes } from '../settings/wishes.ts';

export interface ReadersOptions {
  readonly accounts: Pick<Accounts, 'active'>;
  readonly cameras: { readonly access: Pick<Cameras['access'], 'visibleToEach'> };
  readonly wishes: Pick<WishesStore, 'ofEach'>;
}

export interface Reader {
  readonly userId: string;
  readonly scope: Scope;
  readonly wishes: Wishes;
}

export class Readers {
  readonly #options: ReadersOptions;

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  /** By account, in the order of their ids. */
  async all(): Promise<ReadonlyMap<string, Reader>> {
    const { accounts, cameras, wishes } = this.#options;
    const active = await accounts.active();
    const grants = await cameras.access.visibleToEach(active);
    const wished = await wishes.ofEach(active.map(({ userId }) => userId));
    return new Map(
      active.map((account) => {
        const { userId } = account;
        const scope = createScope({ ...account, sessionId: '' }, grants.get(userId) ?? noGrants);
        return [userId, { userId, scope, wishes: wished.get(userId) ?? firstWishes }] as const;
      }),
    );
  }
}
