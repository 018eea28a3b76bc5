/** What people demand of their own account's use (SEC rows), and keys for their scripts. */
import { z } from 'zod/mini';
import { Id, Timestamp, requiredName, results, text } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields } from './refusals.ts';
import { everyone, keyScopes, route } from './route.ts';

/** Minutes without activity; never: only the limit of the installation holds. */
export const sessionTimeouts = [15, 30, 60, 120, 'never'] as const;
export const SessionTimeout = z.literal(sessionTimeouts);
export type SessionTimeout = z.infer<typeof SessionTimeout>;

const own = {
  session_timeout: SessionTimeout,
  /** `All`, or addresses and networks (CIDR) with commas between them. */
  allowed_ips: text(4000),
  api_access: z.boolean(),
};

export const MySecurity = z.object({
  ...own,
  /** What holds for this account: its own choice within the policy of the installation. */
  effective: z.object({ session_timeout_minutes: z.int(), api_access: z.boolean() }),
  /** What the installation requires of every user. */
  policy: z.object({ session_timeout_minutes: z.int(), api_access: z.boolean() }),
  /** The address this request came from: a list of addresses must include it. */
  ip: z.string(),
  /** How long this session lasts if the user is idle: a duration, because clocks of browsers differ. */
  session_ends_in_s: z.int(),
});
export type MySecurity = z.infer<typeof MySecurity>;

export const UpdateMySecurity = z.partial(z.object(own));
export type UpdateMySecurity = z.infer<typeof UpdateMySecurity>;

export const KeyScope = z.enum(keyScopes);

/** The longest life of a key, and its usual one. */
export const keyLifetimeDays = { max: 365, usual: 90 } as const;

export const CreateApiKey = z.object({
  name: requiredName(100),
  scopes: z.array(KeyScope).check(z.minLength(1), z.maxLength(keyScopes.length)),
  expires_in_days: z._default(
    z.int().check(z.gte(1), z.lte(keyLifetimeDays.max)),
    keyLifetimeDays.usual,
  ),
  ...FreshProof.shape,
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  scopes: z.array(KeyScope),
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: z.nullable(Timestamp),
  last_used_ip: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The one answer that holds the key itself. */
export const CreatedApiKey = z.extend(ApiKey, { key: z.string() });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const ownSecurityRoutes = {
  security: route({
    method: 'GET',
    path: '/secure-api/accounts/security/my_security/',
    summary: 'What the signed-in user demands of their own sessions, and what holds.',
    callers: everyone,
    reply: MySecurity,
  }),
  updateSecurity: route({
    method: 'PATCH',
    path: '/secure-api/accounts/security/update_my_security/',
    summary: 'Changes it; switching API access off revokes all keys of the user.',
    callers: everyone,
    body: UpdateMySecurity,
    reply: MySecurity,
    problems: ['api_access_off', 'address_locked_out'],
    fieldProblems: ['address_list_invalid'],
  }),
  keys: route({
    method: 'GET',
    path: '/secure-api/accounts/api-keys/',
    summary: 'The living API keys of the signed-in user; of another one for administrators.',
    callers: everyone,
    query: z.object({ user_id: z.optional(Id) }),
    reply: results(ApiKey),
    problems: ['user_not_found'],
  }),
  createKey: route({
    method: 'POST',
    path: '/secure-api/accounts/api-keys/',
    summary: 'Creates an API key, which is shown in this answer and never again.',
    callers: everyone,
    body: CreateApiKey,
    reply: CreatedApiKey,
    status: 201,
    problems: [...ofProof, 'api_access_off', 'api_keys_too_many'],
    fieldProblems: [...ofProofFields],
  }),
  revokeKey: route({
    method: 'DELETE',
    path: '/secure-api/accounts/api-keys/:id/',
    summary: 'Revokes an API key: one of the signed-in user, or anybody for administrators.',
    callers: everyone,
    params: z.object({ id: Id }),
    status: 204,
    problems: ['api_key_not_found'],
  }),
  revokeKeys: route({
    method: 'DELETE',
    path: '/secure-api/accounts/api-keys/',
    summary: 'Revokes all API keys of the signed-in user.',
    callers: everyone,
    status: 204,
  }),
};
