/**
 * Keys for scripts: 256 random bits, shown once, of which only the SHA-256 is stored. A key opens the routes that
 * its scopes name and its owner may use at that moment, while both the installation and the owner allow
 * keys at all; it never opens a route that names no scope (http/serve.ts).
 */
import type { ApiKey, CreateApiKey, CreatedApiKey } from '@nazar/contract/own-security.ts';
import type { Entry } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type { ApiKeyRow, ApiKeyStore } from './store.ts';
import { KeyRate } from './rate.ts';
import type { Proofs } from '../proof/proofs.ts';
import type { AccountParts } from '../parts.ts';
import type { Client } from '../sessions/sessions.ts';
import type { Site } from '../site.ts';
import { newToken, tokenHash } from '../tokens.ts';
import { standingOf } from '../users/users.ts';
import type { Identity } from '../identity.ts';

const dayMs = 24 * 60 * 60_000;
const maxKeysPerUser = 20;
/** The last use is known to within this time. */
const useMs = 60_000;

export class ApiKeys {
  readonly #parts: AccountParts;
  readonly #keys: ApiKeyStore;
  readonly #proofs: Proofs;
  readonly #rate: KeyRate;

  constructor(parts: AccountParts, proofs: Proofs) {
    this.#parts = parts;
    this.#keys = parts.keys;
    this.#proofs = proofs;
    this.#rate = new KeyRate(parts.clock);
  }

  /** The caller's own keys, or, for administrators, those of a user. Throws user_not_found for others. */
  async list(scope: Scope, userId = scope.userId): Promise<ApiKey[]> {
    if (userId !== scope.userId && !mayRevokeAny(scope)) throw new Problem('user_not_found');
    return (await this.#keys.ofUser(userId, await this.#now())).map(asApiKey);
  }

  /** Throws api_access_off, api_keys_too_many and the problems of a refused proof. */
  async create(scope: Scope, form: CreateApiKey, site: Site | null): Promise<CreatedApiKey> {
    const { admission, security, activity } = this.#parts;
    await this.#proofs.prove(scope, form, site);
    const { apiAccess } = await admission.policyFor(scope.userId);
    if (!apiAccess) throw new Problem('api_access_off');
    const key = newToken('key');
    const at = await this.#now();
    const row = newRow(scope.userId, form, tokenHash(key, 'key')!, at);
    await this.#keys.transaction(async (tx) => {
      // The lock makes a simultaneous end of API access revoke this key too.
      const own = await security.policyForUpdate(tx, scope.userId);
      if (!own.apiAccess) throw new Problem('api_access_off');
      if ((await this.#keys.count(tx, scope.userId, at)) >= maxKeysPerUser) {
        throw new Problem('api_keys_too_many', { max: maxKeysPerUser });
      }
      await this.#keys.add(tx, row);
      await activity.record(tx, {
        ...aboutKey('account.key_created', scope, scope.userId, row.id),
        details: { key: row.id, scopes: row.scopes, days: form.expires_in_days },
      });
    });
    return { ...asApiKey(row), key };
  }

  /** Throws api_key_not_found, also for a key of another user. */
  async revoke(scope: Scope, id: string): Promise<void> {
    const at = await this.#now();
    await this.#keys.transaction(async (tx) => {
      const limit = mayRevokeAny(scope) ? null : scope.userId;
      const ownerId = await this.#keys.revoke(tx, id, limit, at);
      if (ownerId === undefined) throw new Problem('api_key_not_found');
      await this.#parts.activity.record(tx, aboutKey('account.key_revoked', scope, ownerId, id));
    });
  }

  async revokeAll(scope: Scope): Promise<void> {
    const at = await this.#now();
    await this.#keys.transaction(async (tx) => {
      for (const id of await this.#keys.revokeAll(tx, scope.userId, at)) {
        const entry = aboutKey('account.key_revoked', scope, scope.userId, id);
        await this.#parts.activity.record(tx, entry);
      }
    });
  }

  /** The user of this key. Throws not_signed_in and too_many_requests. */
  async identify(key: string, client: Client): Promise<Identity> {
    const hash = tokenHash(key, 'key');
    const at = await this.#now();
    const row = await this.#parts.throttle.lookUp('key', client.ip, async () =>
      hash ? ((await this.#keys.byHash(hash, at)) ?? null) : null,
    );
    const identity = row && (await this.#identityOf(row, client.ip));
    if (!identity) throw new Problem('not_signed_in');
    this.#rate.count(row.id);
    await this.#used(row, client, at);
    return identity;
  }

  /** The same for a key known by its id, e.g. from a ticket; null when it is no longer valid. */
  async identifyById(id: string, ip: string): Promise<Identity | null> {
    const row = await this.#keys.byId(id, await this.#now());
    return row ? this.#identityOf(row, ip) : null;
  }

  /** Null if the key may not be used now: its owner is disabled, the address is not allowed, or API access is off. */
  async #identityOf(row: ApiKeyRow, ip: string): Promise<Identity | null> {
    const { store, admission } = this.#parts;
    const [owner, policy] = await Promise.all([
      store.userById(row.user_id),
      admission.policyFor(row.user_id),
    ]);
    if (!owner?.is_active || !policy.apiAccess || !policy.allows(ip)) return null;
    const { id: userId, email } = owner;
    const keyScopes = new Set(row.scopes);
    return { userId, email, sessionId: row.id, standing: standingOf(owner), keyScopes };
  }

  /** The first use from a new address is recorded. */
  async #used(row: ApiKeyRow, client: Client, at: Date): Promise<void> {
    const sinceMs = at.getTime() - (row.last_used_at?.getTime() ?? 0);
    if (row.last_used_ip === client.ip && sinceMs < useMs) return;
    const isNew = await this.#keys.transaction(async (tx) => {
      if (!(await this.#keys.use(tx, row.id, client.ip, at))) return false;
      const { ip, userAgent } = client;
      const actor = { userId: row.user_id, sessionId: row.id, ip, userAgent };
      const entry = aboutKey('account.key_first_used', actor, row.user_id, row.id);
      await this.#parts.activity.record(tx, entry);
      return true;
    });
    // The very first use comes from the place the key was made for.
    if (!isNew || row.last_used_at === null) return;
    this.#parts.suspect({ kind: 'key_new_address', userId: row.user_id });
  }

  async #now(): Promise<Date> {
    return new Date(await this.#parts.time.now());
  }
}

const mayRevokeAny = ({ standing }: Scope): boolean =>
  standing === 'admin' || standing === 'superadmin';

function newRow(userId: string, form: CreateApiKey, hash: Buffer, at: Date): ApiKeyRow {
  return {
    id: uuidv7(at.getTime()),
    user_id: userId,
    name: form.name,
    hash,
    scopes: [...new Set(form.scopes)],
    created_at: at,
    expires_at: new Date(at.getTime() + form.expires_in_days * dayMs),
    revoked_at: null,
    last_used_at: null,
    last_used_ip: null,
  };
}

function aboutKey(
  action: Entry['action'],
  actor: Entry['actor'],
  ownerId: string,
  id: string,
): Entry {
  return { actor, action, object: { type: 'user', id: ownerId }, details: { key: id } };
}

function asApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: [...row.scopes],
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip: row.last_used_ip,
  };
}
