/** The limits that users set for their own account: idle time of sessions, allowed addresses, and API keys. */
import type { MySecurity, UpdateMySecurity } from '@nazar/contract/own-security.ts';
import type { SetupState } from '@nazar/contract/setup.ts';
import type { Details } from '#activity/activity.ts';
import { parseAddressList } from '#http/address-list.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { AccountParts } from '../parts.ts';
import { longestSessionDays } from '../sessions/sessions.ts';
import { aboutUser } from '../log-entry.ts';
import type { OwnPolicy } from './policy.ts';

export class OwnSecurity {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  async read({ userId, sessionId, ip }: Scope): Promise<MySecurity> {
    const { security, settings, admission, sessions, time } = this.#parts;
    const [own, system, policy, endsAt] = await Promise.all([
      security.policy(userId),
      settings.get('security'),
      admission.policyFor(userId),
      sessions.endsAt(sessionId),
    ]);
    if (!endsAt) throw new Problem('not_signed_in');
    return {
      session_timeout: asTimeout(own.sessionTimeout),
      allowed_ips: own.allowedIPs,
      api_access: own.apiAccess,
      effective: {
        session_timeout_minutes: policy.idleMs / 60_000,
        api_access: policy.apiAccess,
      },
      policy: {
        session_timeout_minutes: system.sessionTimeout,
        api_access: system.apiAccessEnabled,
      },
      ip,
      session_ends_in_s: Math.max(0, Math.floor((endsAt.getTime() - (await time.now())) / 1000)),
    };
  }

  /** Every session ends at one of these limits. */
  async sessionLimits(): Promise<SetupState['session_limits']> {
    const { sessionTimeout } = await this.#parts.settings.get('security');
    return { inactive_minutes: sessionTimeout, days: longestSessionDays };
  }

  /** Throws address_list_invalid, address_locked_out and api_access_off. */
  async update(scope: Scope, change: UpdateMySecurity): Promise<MySecurity> {
    const { store, security, keys, activity, time } = this.#parts;
    const allowedIPs =
      change.allowed_ips === undefined ? null : checkedList(change.allowed_ips, scope.ip);
    const at = new Date(await time.now());
    await store.transaction(async (tx) => {
      const before = await security.policyForUpdate(tx, scope.userId);
      const after: OwnPolicy = {
        sessionTimeout:
          change.session_timeout === undefined
            ? before.sessionTimeout
            : asMinutes(change.session_timeout),
        allowedIPs: allowedIPs ?? before.allowedIPs,
        apiAccess: change.api_access ?? before.apiAccess,
      };
      if (after.apiAccess && !before.apiAccess) await this.#mustAllowApiAccess();
      await security.save(tx, scope.userId, after);
      const revoked = after.apiAccess ? [] : await keys.revokeAll(tx, scope.userId, at);
      const changes = differences(before, after);
      if (Object.keys(changes).length === 0) return;
      const entry = aboutUser('account.security_changed', scope, scope.userId);
      await activity.record(tx, { ...entry, details: { changes, keys_revoked: revoked.length } });
    });
    return this.read(scope);
  }

  async #mustAllowApiAccess(): Promise<void> {
    const { apiAccessEnabled } = await this.#parts.settings.get('security');
    if (!apiAccessEnabled) throw new Problem('api_access_off');
  }
}

type Timeout = MySecurity['session_timeout'];

const asMinutes = (timeout: Timeout): number | null => (timeout === 'never' ? null : timeout);
/** The table allows no other values. */
const asTimeout = (minutes: number | null): Timeout => (minutes ?? 'never') as Timeout;

/** Users cannot lock themselves out of their own account: their list must include their own address. */
function checkedList(text: string, ip: string): string {
  const list = parseAddressList(text);
  if ('wrong' in list) {
    throw new Problem('address_list_invalid', { field: 'allowed_ips', entry: list.wrong });
  }
  if (!list.allows(ip)) throw new Problem('address_locked_out', { ip });
  return text === '' ? 'All' : text;
}

function differences(before: OwnPolicy, after: OwnPolicy): Details {
  const fields = Object.keys(after) as (keyof OwnPolicy)[];
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field], to: after[field] }]),
  );
}
