/**
 * Identities and their keys. Everything stored of a person or stranger (photos, chips, vectors) is sealed under the
 * key of their identity, which is itself sealed under the master key: destroying that one key makes all of it
 * unreadable, in old backups too.
 */
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { SealBroken, SecretKey } from '#lib/secrets.ts';
import type { Tx } from '#db/database.ts';
import type { IdentityStore } from './identity-store.ts';

/** Keys of this many identities stay open in memory; a page of pictures needs at most 1,000. */
const maxOpenKeys = 4096;

export interface Identity {
  readonly id: string;
  readonly key: SecretKey;
}

export class Identities {
  readonly #store: IdentityStore;
  readonly #master: SecretKey;
  readonly #clock: Clock;
  readonly #open = new Map<string, SecretKey>();

  constructor(store: IdentityStore, master: SecretKey, clock: Clock) {
    this.#store = store;
    this.#master = master;
    this.#clock = clock;
  }

  /** Creates an identity, known as `personId` or of a person not known yet. */
  async create(tx: Tx, personId: string | null): Promise<Identity> {
    const nowMs = this.#clock.now();
    const id = uuidv7(nowMs);
    const key = SecretKey.random();
    await this.#store.add(tx, {
      id,
      person_id: personId,
      data_key: key.sealedBy(this.#master, keyPlace(id)),
      created_at: new Date(nowMs),
    });
    return { id, key };
  }

  /** Throws SealBroken when the identity was erased. */
  async keyOf(identityId: string): Promise<SecretKey> {
    const open = this.#open.get(identityId);
    if (open) return open;
    const sealed = await this.#store.dataKey(identityId);
    if (!sealed) throw new SealBroken(`identity ${identityId} was erased`);
    return this.openKey(identityId, sealed);
  }

  /** Only for identities that were not erased. */
  async keysOf(identityIds: readonly string[]): Promise<ReadonlyMap<string, SecretKey>> {
    const keys = new Map<string, SecretKey>();
    for (const id of identityIds) {
      const open = this.#open.get(id);
      if (open) keys.set(id, open);
    }
    const others = [...new Set(identityIds)].filter((id) => !keys.has(id));
    const sealed = others.length > 0 ? await this.#store.dataKeys(others) : [];
    for (const { id, data_key } of sealed) keys.set(id, this.openKey(id, data_key));
    return keys;
  }

  openKey(identityId: string, sealed: Buffer): SecretKey {
    const known = this.#open.get(identityId);
    if (known) return known;
    const key = SecretKey.openedBy(this.#master, sealed, keyPlace(identityId));
    if (this.#open.size >= maxOpenKeys) this.#open.delete(this.#open.keys().next().value!);
    this.#open.set(identityId, key);
    return key;
  }

  /** Forgets one open key, or all of them: another node may have destroyed it. */
  forget(identityId: string | null): void {
    if (identityId === null) this.#open.clear();
    else this.#open.delete(identityId);
  }
}

const keyPlace = (identityId: string): string => `identity.data_key:${identityId}`;
