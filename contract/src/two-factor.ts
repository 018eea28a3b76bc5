/** The second factor: the second step of a login, and how its owner turns it on and off. */
import { z } from 'zod/mini';
import { LoginReply } from './accounts.ts';
import { requiredText } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields, ofSignIn } from './refusals.ts';
import { everyone, route } from './route.ts';
import { Assertion } from './webauthn.ts';

/** Six digits of the app, or a recovery code; spaces and dashes are as people type them. */
const Code = requiredText(32);

export const CodeProof = z.object({ code: Code });

/** What is shown as the second factor: one of them. */
export const Proof = z.object({ code: z.optional(Code), passkey: z.optional(Assertion) });
export type Proof = z.infer<typeof Proof>;

/** Factors are changed by users who give fresh proof and hold the second factor; a `passkey` is both. */
export const Prove = z.extend(FreshProof, { code: z.optional(Code) });
export type Prove = z.infer<typeof Prove>;

export const LoginTwoFactor = z.extend(Proof, { challenge: requiredText(128) });
export type LoginTwoFactor = z.infer<typeof LoginTwoFactor>;

export const TwoFactorState = z.object({
  /** Whether a password alone does not open the account. */
  is_on: z.boolean(),
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  passkeys: z.int(),
  /** While it is off, nothing but its set-up is open to this account. */
  is_demanded: z.boolean(),
  recovery_codes_left: z.int(),
});
export type TwoFactorState = z.infer<typeof TwoFactorState>;

export const TotpSetup = z.object({
  /** Base32, for those who type it. */
  secret: z.string(),
  /** `otpauth://totp/...`, for the QR code. */
  uri: z.string(),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

/** Shown once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

export const twoFactorRoutes = {
  login: route({
    method: 'POST',
    path: '/secure-api/accounts/login/two-factor/',
    summary: 'The second step of a login, with the challenge that the first one answered.',
    callers: 'anyone',
    body: LoginTwoFactor,
    reply: LoginReply,
    problems: [...ofSignIn, 'setup_required', 'challenge_invalid', 'passkey_refused'],
    fieldProblems: ['code_wrong'],
  }),
  state: route({
    method: 'GET',
    path: '/secure-api/accounts/two-factor/',
    summary: "Whether the signed-in user's account asks for a second factor, and which it has.",
    callers: everyone,
    whileEnrolling: true,
    reply: TwoFactorState,
  }),
  setUp: route({
    method: 'POST',
    path: '/secure-api/accounts/two-factor/setup/',
    summary: 'A new secret for an authenticator app; it counts after the first code of it.',
    callers: everyone,
    whileEnrolling: true,
    body: FreshProof,
    reply: TotpSetup,
    problems: [...ofProof, 'two_factor_on'],
    fieldProblems: [...ofProofFields],
  }),
  verify: route({
    method: 'POST',
    path: '/secure-api/accounts/two-factor/verify/',
    summary: 'Turns the authenticator app on with a code of it and answers the recovery codes.',
    callers: everyone,
    whileEnrolling: true,
    body: CodeProof,
    reply: RecoveryCodes,
    fieldProblems: ['code_wrong'],
  }),
  disable: route({
    method: 'POST',
    path: '/secure-api/accounts/two-factor/disable/',
    summary: 'Turns the authenticator app off.',
    callers: everyone,
    body: Prove,
    status: 204,
    problems: [...ofProof, 'two_factor_off'],
    fieldProblems: [...ofProofFields, 'code_wrong'],
  }),
  recoveryCodes: route({
    method: 'POST',
    path: '/secure-api/accounts/two-factor/recovery-codes/',
    summary: 'Ten new recovery codes; the old ones stop working.',
    callers: everyone,
    body: Prove,
    reply: RecoveryCodes,
    problems: [...ofProof, 'two_factor_off'],
    fieldProblems: [...ofProofFields, 'code_wrong'],
  }),
};
