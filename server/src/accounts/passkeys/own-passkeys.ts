/**
 * The passkeys of one's own account. After the first one the password alone no longer opens the account; the recovery
 * codes are deleted with the last second factor. Either change ends all other sessions.
 */
import {
  maxPasskeys,
  type NewPasskey,
  type Passkey,
  type PasskeyAdded,
} from '@nazar/contract/passkeys.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import type { Prove } from '@nazar/contract/two-factor.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import type { Action } from '#activity/activity.ts';
import type { Proofs } from '../proof/proofs.ts';
import { endOthers, ownerRow, type Owner } from '../users/ownership.ts';
import type { AccountParts } from '../parts.ts';
import type { PasskeyRow, PasskeyStore } from './store.ts';
import type { Passkeys } from './passkeys.ts';
import { aboutUser } from '../log-entry.ts';
import type { Site } from '../site.ts';
import type { TwoFactor } from '../second-factor/two-factor.ts';

export interface OwnPasskeysOptions {
  readonly parts: AccountParts;
  readonly passkeyStore: PasskeyStore;
  readonly passkeys: Passkeys;
  readonly twoFactor: TwoFactor;
  readonly proofs: Proofs;
}

export class OwnPasskeys {
  readonly #parts: AccountParts;
  readonly #store: PasskeyStore;
  readonly #passkeys: Passkeys;
  readonly #twoFactor: TwoFactor;
  readonly #proofs: Proofs;

  constructor({ parts, passkeyStore, passkeys, twoFactor, proofs }: OwnPasskeysOptions) {
    this.#parts = parts;
    this.#store = passkeyStore;
    this.#passkeys = passkeys;
    this.#twoFactor = twoFactor;
    this.#proofs = proofs;
  }

  async list(userId: string): Promise<Passkey[]> {
    return (await this.#store.of(userId)).map(asPasskey);
  }

  /**
   * A recent sign-in is not enough: a passkey is itself fresh proof, and an attacker who copied a session must not
   * be able to add one. Throws proof_required and the problems of a refused proof.
   */
  async addOptions(owner: Owner, site: Site, proof: FreshProof) {
    const { user } = await this.#proofs.prove(owner, proof, site);
    return this.#passkeys.addOptions(user, site);
  }

  /** Throws passkey_refused and passkeys_too_many. */
  async add(owner: Owner, site: Site, { name, passkey }: NewPasskey): Promise<PasskeyAdded> {
    const { store, users, clock } = this.#parts;
    const user = await ownerRow(this.#parts, owner.userId);
    const credential = await this.#passkeys.added(user, site, passkey);
    if (!credential) throw new Problem('passkey_refused');
    const nowMs = clock.now();
    const row: PasskeyRow = {
      id: uuidv7(nowMs),
      user_id: user.id,
      name,
      created_at: new Date(nowMs),
      last_used_at: null,
      ...credential,
    };
    const done = await store.transaction(async (tx) => {
      await users.userForUpdate(tx, user.id);
      const before = await this.#store.count(tx, user.id);
      if (before >= maxPasskeys) throw new Problem('passkeys_too_many', { max: maxPasskeys });
      if (!(await this.#store.add(tx, row))) throw new Problem('passkey_refused');
      await this.#record(tx, owner, 'account.passkey_added', name);
      const codes = await this.#twoFactor.codesForFirstFactor(tx, user.id);
      return { codes, ended: codes ? await endOthers(this.#parts, tx, owner, 'revoked') : [] };
    });
    this.#parts.ended(done.ended);
    return { passkey: asPasskey(row), recovery_codes: done.codes };
  }

  /** Throws passkey_not_found. */
  async rename(owner: Owner, id: string, name: string): Promise<Passkey> {
    const row = await this.#parts.store.transaction(async (tx) => {
      const renamed = await this.#store.rename(tx, owner.userId, id, name);
      if (renamed) await this.#record(tx, owner, 'account.passkey_renamed', name);
      return renamed;
    });
    if (!row) throw new Problem('passkey_not_found');
    return asPasskey(row);
  }

  /** Throws passkey_not_found, last_way_in, and the problems of a refused proof. */
  async remove(owner: Owner, site: Site | null, id: string, proof: Prove): Promise<void> {
    const row = (await this.#store.of(owner.userId)).find((passkey) => passkey.id === id);
    if (!row) throw new Problem('passkey_not_found');
    await this.#twoFactor.mustProve(owner, site, proof);
    const ended = await this.#parts.store.transaction(async (tx) => {
      const user = await this.#parts.users.userForUpdate(tx, owner.userId);
      if (user) await this.#proofs.mustKeepWayIn(user, { passkeyId: id });
      if (!(await this.#store.remove(tx, owner.userId, id))) throw new Problem('passkey_not_found');
      await this.#record(tx, owner, 'account.passkey_removed', row.name);
      const isOff = await this.#twoFactor.forgetCodesAfterLast(tx, owner.userId);
      return isOff ? endOthers(this.#parts, tx, owner, 'revoked') : [];
    });
    this.#parts.ended(ended);
  }

  async #record(tx: Tx, owner: Owner, action: Action, name: string): Promise<void> {
    const entry = { ...aboutUser(action, owner, owner.userId), details: { name } };
    await this.#parts.activity.record(tx, entry);
  }
}

function asPasskey(row: PasskeyRow): Passkey {
  const { id, name, host, is_synced, created_at, last_used_at } = row;
  return {
    id,
    name,
    host,
    is_synced,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
