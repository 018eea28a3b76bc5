/** Passkeys: WebAuthn credentials that open an account in place of the password, or after it. */
import { z } from 'zod/mini';
import { LoginReply } from './accounts.ts';
import { Id, Timestamp, requiredName, requiredText, results } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields, ofSignIn } from './refusals.ts';
import { everyone, route } from './route.ts';
import { Prove, RecoveryCodes } from './two-factor.ts';
import { Assertion, Attestation, CeremonyOptions } from './webauthn.ts';

export const maxPasskeys = 10;

const Name = requiredName(60);

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** The name of this installation under which it was made: it opens no other one. */
  host: z.string(),
  /** Whether it travels with its owner's account at Apple, Google or the like. */
  is_synced: z.boolean(),
  created_at: Timestamp,
  last_used_at: z.nullable(Timestamp),
});
export type Passkey = z.infer<typeof Passkey>;

export const NewPasskey = z.object({ name: Name, passkey: Attestation });
export type NewPasskey = z.infer<typeof NewPasskey>;

/** The codes when the account had none: from now on the password alone does not open it. */
export const PasskeyAdded = z.object({
  passkey: Passkey,
  recovery_codes: z.nullable(RecoveryCodes.shape.recovery_codes),
});
export type PasskeyAdded = z.infer<typeof PasskeyAdded>;

export const LoginPasskey = z.object({
  passkey: Assertion,
  remember: z._default(z.boolean(), false),
});
export type LoginPasskey = z.infer<typeof LoginPasskey>;

export const passkeyRoutes = {
  loginOptions: route({
    method: 'POST',
    path: '/secure-api/accounts/login/passkey/options/',
    summary: 'What a browser needs to sign in with a passkey.',
    callers: 'anyone',
    reply: CeremonyOptions,
    problems: ['setup_required', 'passkeys_need_a_name'],
  }),
  login: route({
    method: 'POST',
    path: '/secure-api/accounts/login/passkey/',
    summary: 'Signs in with a passkey in place of password and second factor.',
    callers: 'anyone',
    body: LoginPasskey,
    reply: LoginReply,
    problems: [...ofSignIn, 'setup_required', 'passkeys_need_a_name', 'passkey_refused'],
  }),
  secondStepOptions: route({
    method: 'POST',
    path: '/secure-api/accounts/login/two-factor/passkey/',
    summary: 'What a browser needs to show a passkey as the second step of a login.',
    callers: 'anyone',
    body: z.object({ challenge: requiredText(128) }),
    reply: CeremonyOptions,
    problems: ['setup_required', 'challenge_invalid', 'passkeys_need_a_name'],
  }),
  list: route({
    method: 'GET',
    path: '/secure-api/accounts/passkeys/',
    summary: "The signed-in user's passkeys.",
    callers: everyone,
    whileEnrolling: true,
    reply: results(Passkey),
  }),
  addOptions: route({
    method: 'POST',
    path: '/secure-api/accounts/passkeys/options/',
    summary: 'What a browser needs to make a passkey.',
    callers: everyone,
    whileEnrolling: true,
    body: FreshProof,
    reply: CeremonyOptions,
    problems: [...ofProof, 'passkeys_need_a_name'],
    fieldProblems: [...ofProofFields],
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/accounts/passkeys/',
    summary: 'Adds the passkey that a browser made.',
    callers: everyone,
    whileEnrolling: true,
    body: NewPasskey,
    reply: PasskeyAdded,
    status: 201,
    problems: ['passkeys_need_a_name', 'passkey_refused', 'passkeys_too_many'],
  }),
  rename: route({
    method: 'PATCH',
    path: '/secure-api/accounts/passkeys/:id/',
    summary: 'Gives a passkey another name.',
    callers: everyone,
    params: z.object({ id: Id }),
    body: z.object({ name: Name }),
    reply: Passkey,
    problems: ['passkey_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/accounts/passkeys/:id/',
    summary: 'Removes a passkey.',
    callers: everyone,
    params: z.object({ id: Id }),
    body: Prove,
    status: 204,
    problems: [...ofProof, 'passkey_not_found', 'two_factor_off', 'last_way_in'],
    fieldProblems: [...ofProofFields, 'code_wrong'],
  }),
};
