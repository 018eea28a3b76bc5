/** The requirements of the installation and of the owner together: both must pass, and the shorter time counts. */
import type { SecuritySettings } from '@nazar/contract/settings.ts';
import { allowsAddress } from '#http/address-list.ts';

/** The limits that users set for their own account. */
export interface OwnPolicy {
  /** Minutes; null: never. */
  readonly sessionTimeout: number | null;
  readonly allowedIPs: string;
  readonly apiAccess: boolean;
}

export const usualPolicy: OwnPolicy = { sessionTimeout: 30, allowedIPs: 'All', apiAccess: false };

export type SystemPolicy = Pick<
  SecuritySettings,
  'sessionTimeout' | 'allowedIPs' | 'apiAccessEnabled'
>;

export interface Policy {
  readonly idleMs: number;
  readonly apiAccess: boolean;
  readonly allows: (ip: string) => boolean;
}

export function policyOf(system: SystemPolicy, own: OwnPolicy): Policy {
  const minutes = Math.min(system.sessionTimeout, own.sessionTimeout ?? Infinity);
  return {
    idleMs: minutes * 60_000,
    apiAccess: system.apiAccessEnabled && own.apiAccess,
    allows: (ip) => allowsAddress(system.allowedIPs, ip) && allowsAddress(own.allowedIPs, ip),
  };
}
