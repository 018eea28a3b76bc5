/** Signing in at a provider elsewhere (OpenID Connect), and connecting an account that is here already. */
import { z } from 'zod/mini';
import { LoginReply, TwoFactorRequired } from './accounts.ts';
import { Timestamp } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofProof, ofProofFields, ofSignIn } from './refusals.ts';
import { everyone, route } from './route.ts';

/** Why a user came back from the provider without being signed in. The page has a sentence for each. */
export const signOnFaults = [
  /** They said no there, or the provider did. */
  'refused',
  /** Too late, or begun in another browser, or used already. */
  'expired',
  /** What the provider answered does not hold. */
  'failed',
  'no_account',
  /** There is an account of that address, which has to be connected by its owner. */
  'address_taken',
  'disabled',
  /** That identity belongs to another account here. */
  'connected_elsewhere',
  /** Signed in there as another person than the user who is signed in here. */
  'other_person',
] as const;
export const SignOnFault = z.enum(signOnFaults);
export type SignOnFault = z.infer<typeof SignOnFault>;

/** Where the browser goes next: to the provider. */
const Address = z.object({ url: z.string() });

export const signOnRoutes = {
  begin: route({
    method: 'POST',
    path: '/secure-api/accounts/oidc/begin/',
    summary: 'Begins a sign-in at the provider and binds it to this browser.',
    callers: 'anyone',
    body: z.object({ remember: z._default(z.boolean(), false) }),
    reply: Address,
    problems: ['setup_required', 'not_found', 'sign_on_unavailable'],
  }),
  /** A navigation, not a call: it answers with the address of a page, whatever happened. */
  callback: route({
    method: 'GET',
    path: '/secure-api/accounts/oidc/callback/',
    summary: 'Where the provider sends the browser back to.',
    callers: 'anyone',
    status: 303,
    problems: ['not_found'],
  }),
  complete: route({
    method: 'POST',
    path: '/secure-api/accounts/oidc/complete/',
    summary: 'What a login answers, for the browser that came back; once, within two minutes.',
    callers: 'anyone',
    body: z.object({}),
    reply: z.union([LoginReply, TwoFactorRequired]),
    problems: [...ofSignIn, 'not_found', 'sign_on_expired', 'account_disabled'],
  }),
  connection: route({
    method: 'GET',
    path: '/secure-api/accounts/oidc/connection/',
    summary: 'Whether the own account is connected with the provider, and since when.',
    callers: everyone,
    reply: z.object({ connected_at: z.nullable(Timestamp) }),
  }),
  connect: route({
    method: 'POST',
    path: '/secure-api/accounts/oidc/connection/',
    summary: 'Begins to connect the own account with an identity at the provider.',
    callers: everyone,
    body: FreshProof,
    reply: Address,
    problems: [...ofProof, 'not_found', 'sign_on_unavailable'],
    fieldProblems: [...ofProofFields],
  }),
  disconnect: route({
    method: 'DELETE',
    path: '/secure-api/accounts/oidc/connection/',
    summary: 'Ends the connection of the own account with the provider.',
    callers: everyone,
    body: FreshProof,
    status: 204,
    problems: [...ofProof, 'not_found', 'last_way_in'],
    fieldProblems: [...ofProofFields],
  }),
};
