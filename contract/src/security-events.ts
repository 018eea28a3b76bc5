/** What happened to an account that its owner should know of: listed, and sent by mail where there is any. */
import { z } from 'zod/mini';
import { Id, Timestamp, results } from './fields.ts';
import { everyone, route } from './route.ts';

export const securityEventKinds = [
  'signed_in_anew',
  'recovery_code_used',
  'password_changed',
  'email_changed',
  'two_factor_on',
  'two_factor_off',
  'two_factor_removed',
  'recovery_codes_made',
  'link_issued',
  'role_changed',
  'sessions_ended',
  'connected',
  'disconnected',
  'key_created',
  'key_first_used',
  'session_stolen',
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

export const SecurityEvent = z.object({
  id: Id,
  kind: z.enum(securityEventKinds),
  at: Timestamp,
  /** `somebody`: no user was signed in, e.g. a caller who used a link or a copy of a session. */
  by: z.enum(['oneself', 'administrator', 'console', 'somebody']),
  /** From where; '' when an administrator or the console did it, whose address is their own matter. */
  ip: z.string(),
  user_agent: z.string(),
});
export type SecurityEvent = z.infer<typeof SecurityEvent>;

export const securityEventRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/accounts/security/events/',
    summary: 'The last 20 things that happened to the security of the own account.',
    callers: everyone,
    reply: results(SecurityEvent),
  }),
};
