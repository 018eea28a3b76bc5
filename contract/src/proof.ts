/**
 * Fresh proof: the caller proves again to be the user who signed in, before an action that a stolen session alone must
 * not perform. By password, by passkey or by signing in again elsewhere, as the account has them.
 */
import { z } from 'zod/mini';
import { Timestamp, maxChars } from './fields.ts';
import { everyone, route } from './route.ts';
import { Assertion, CeremonyOptions } from './webauthn.ts';

/**
 * One of them. With neither, a sign-in at the provider counts that was made for this (`signOn`), in the same
 * session, at most five minutes ago.
 */
export const FreshProof = z.object({
  /** The password of one's own account. */
  password: z.optional(z.string().check(z.minLength(1), maxChars(512))),
  /** Signed over what `passkeyOptions` answered to this session; good once, for five minutes. */
  passkey: z.optional(Assertion),
});
export type FreshProof = z.infer<typeof FreshProof>;

/** How the own account can give fresh proof here. */
export const ProofWays = z.object({
  password: z.boolean(),
  /** Whether it has a passkey for the name under which this was asked. */
  passkey: z.boolean(),
  /** What the provider is called with which the account is connected. */
  sign_on: z.nullable(z.string()),
  /** Until when the last sign-in there counts; null: none does. */
  signed_on_until: z.nullable(Timestamp),
});
export type ProofWays = z.infer<typeof ProofWays>;

export const proofRoutes = {
  ways: route({
    method: 'GET',
    path: '/secure-api/accounts/proof/',
    summary: 'How the signed-in user can prove anew who they are.',
    callers: everyone,
    whileEnrolling: true,
    reply: ProofWays,
  }),
  passkeyOptions: route({
    method: 'POST',
    path: '/secure-api/accounts/proof/passkey/',
    summary: 'What a browser needs to show a passkey as fresh proof.',
    callers: everyone,
    whileEnrolling: true,
    reply: CeremonyOptions,
    problems: ['passkeys_need_a_name'],
  }),
  signOn: route({
    method: 'POST',
    path: '/secure-api/accounts/proof/sign-on/',
    summary: 'Begins to sign in at the provider again, as fresh proof for this session.',
    callers: everyone,
    whileEnrolling: true,
    reply: z.object({ url: z.string() }),
    problems: ['not_found', 'sign_on_unavailable'],
  }),
};
