/**
 * The provider where users of this installation may sign in (OpenID Connect): the address to redirect a browser
 * to, and the provider's claims about the user who comes back. Code flow with PKCE; state, nonce and verifier are
 * derived from the secret that the browser holds in a cookie, so that an answer meant for another browser, or
 * for another sign-in, does not match. Signatures of identity tokens are verified although they come over TLS
 * from the provider itself. Knows no accounts.
 */
import { createHmac } from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  type Configuration,
} from 'openid-client';
import type { Role } from '@nazar/contract/accounts.ts';
import { EmailAddress } from '@nazar/contract/fields.ts';
import { isLoopback } from '#http/address.ts';
import { asName } from '#lib/names.ts';
import { Problem } from '#lib/problem.ts';
import { claimAt, mappedRole, type RoleMap } from './role-map.ts';

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The provider's name for users: 'Sign in with {name}'. */
  readonly name: string;
  /** The public address of this installation; the provider redirects browsers back there. */
  readonly publicUrl: string;
  readonly roleClaim: string;
  readonly roleMap: RoleMap;
  /** Whether people who have no account here get one. */
  readonly creates: boolean;
  /** Whether an account of the same, verified address is connected at the first sign-in. */
  readonly connectsByEmail: boolean;
  /** Values of `amr` or `acr` that count as a second factor here. */
  readonly strong: readonly string[];
}

/** The provider's claims about a user. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  /** Lower case; null when the provider does not vouch for it. */
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  /** Null: roles are assigned here. */
  readonly role: Role | null;
  readonly isStrong: boolean;
}

const callbackPath = '/secure-api/accounts/oidc/callback/';
const timeoutS = 5;
/** The time between the sign-in there and the return here; a consent page may be shown in between. */
const askedWithinS = 120;
const maxNameChars = 150;

export class Provider {
  readonly options: ProviderOptions;
  #configuration: Promise<Configuration> | null = null;

  constructor(options: ProviderOptions) {
    this.options = options;
  }

  /**
   * The address for the browser that holds this secret; anew: the provider must ask the user to sign in again.
   * Throws sign_on_unavailable.
   */
  async addressFor(secret: string, isAnew = false): Promise<string> {
    const configuration = await this.#discovered();
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: this.options.publicUrl + callbackPath,
      scope: 'openid email profile',
      state: derived(secret, 'state'),
      nonce: derived(secret, 'nonce'),
      code_challenge: await calculatePKCECodeChallenge(derived(secret, 'verifier')),
      code_challenge_method: 'S256',
      ...(isAnew && { prompt: 'login', max_age: '0' }),
    });
    return address.href;
  }

  /**
   * The claims about the user who came back with this query; anew: `auth_time` must show a sign-in a moment ago.
   * Throws the library's errors if any check fails.
   */
  async redeem(query: string, secret: string, isAnew = false): Promise<Claims> {
    const configuration = await this.#discovered();
    const cameBackTo = new URL(this.options.publicUrl + callbackPath + query);
    const answer = await authorizationCodeGrant(configuration, cameBackTo, {
      expectedState: derived(secret, 'state'),
      expectedNonce: derived(secret, 'nonce'),
      pkceCodeVerifier: derived(secret, 'verifier'),
      idTokenExpected: true,
      ...(isAnew && { maxAge: askedWithinS }),
    });
    return this.#read(answer.claims()!);
  }

  #read(claims: Readonly<Record<string, unknown>> & { iss: string; sub: string }): Claims {
    const { iss, sub, email, email_verified, given_name, family_name, name, amr, acr } = claims;
    if (!/^[^\p{Cc}]{1,255}$/u.test(sub))
      throw new Error('the provider says of nobody who they are');
    const said = [amr, acr].flat();
    const full = shortText(name);
    return {
      issuer: iss,
      subject: sub,
      email: email_verified === true ? addressOf(email) : null,
      firstName: shortText(given_name) || full.split(' ')[0]!,
      lastName: shortText(family_name) || full.split(' ').slice(1).join(' '),
      role: mappedRole(claimAt(claims, this.options.roleClaim), this.options.roleMap),
      isStrong: this.options.strong.some((value) => said.includes(value)),
    };
  }

  /** Fetched once; if the provider does not answer, the next call tries again. */
  async #discovered(): Promise<Configuration> {
    this.#configuration ??= this.#discover();
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = null;
      throw new Problem('sign_on_unavailable', {}, error);
    }
  }

  #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.options;
    const address = new URL(issuer);
    // Only a provider on this machine may do without TLS: for tests and trials.
    const isLocal = address.protocol === 'http:' && isLoopback(address.hostname);
    return discovery(address, clientId, clientSecret, undefined, {
      timeout: timeoutS,
      execute: [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])],
    });
  }
}

/** One of several values derived from a secret; none reveals anything about it or the others. */
function derived(secret: string, purpose: 'state' | 'nonce' | 'verifier'): string {
  return createHmac('sha256', secret).update(`sign-on ${purpose}`).digest('base64url');
}

function addressOf(claim: unknown): string | null {
  const parsed = EmailAddress.safeParse(claim);
  return parsed.success ? parsed.data : null;
}

function shortText(claim: unknown): string {
  if (typeof claim !== 'string') return '';
  return asName(claim, maxNameChars);
}
