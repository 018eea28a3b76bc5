/** Which actions in the activity log the owner of an account learns of, and as which event. */
import type { SecurityEventKind } from '@nazar/contract/security-events.ts';
import type { Entry } from '#activity/activity.ts';

type Deed = Pick<Entry, 'action' | 'details'>;

/** Actions by their name in the activity log. */
const kinds: Readonly<Record<string, SecurityEventKind>> = {
  'account.password_changed': 'password_changed',
  'account.password_reset': 'password_changed',
  'account.email_changed': 'email_changed',
  'account.two_factor_on': 'two_factor_on',
  'account.two_factor_off': 'two_factor_off',
  'account.two_factor_removed': 'two_factor_removed',
  'account.recovery_codes_made': 'recovery_codes_made',
  'account.link_issued': 'link_issued',
  'account.role_changed': 'role_changed',
  'account.sessions_ended': 'sessions_ended',
  'account.connected': 'connected',
  'account.disconnected': 'disconnected',
  'account.key_created': 'key_created',
  'account.key_first_used': 'key_first_used',
  'account.session_stolen': 'session_stolen',
};
/** Sign-ins that are unusual; no email reports the others. */
const signIns = {
  signed_in_anew: { name: 'unfamiliar', value: 'true' },
  recovery_code_used: { name: 'how', value: 'recovery' },
} as const;

export const wanted = [
  ...Object.keys(kinds).map((action) => ({ action })),
  ...Object.values(signIns).map((detail) => ({ action: 'account.login', detail })),
];

/** Null: the user need not know about it. */
export function kindOf({ action, details }: Deed): SecurityEventKind | null {
  if (action !== 'account.login') return kinds[action] ?? null;
  if (details?.['how'] === 'recovery') return 'recovery_code_used';
  return details?.['unfamiliar'] === true ? 'signed_in_anew' : null;
}
