/**
 * What goes to and comes from an authenticator, in the JSON form of WebAuthn Level 3; browsers take and give it
 * unread.
 */
import { z } from 'zod/mini';
import { madeElsewhere } from './fields.ts';

const Base64Url = z.string().check(z.regex(/^[\w-]+$/), z.maxLength(16_384));

/** `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`. */
export const CeremonyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
export type CeremonyOptions = z.infer<typeof CeremonyOptions>;

/** What both answers of an authenticator begin with. */
const credential = {
  id: Base64Url,
  rawId: Base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).register(madeElsewhere, {}),
};

/** `AuthenticationResponseJSON`. */
export const Assertion = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: Base64Url,
        authenticatorData: Base64Url,
        signature: Base64Url,
        userHandle: z.optional(Base64Url),
      })
      .register(madeElsewhere, {}),
  })
  .register(madeElsewhere, {});
export type Assertion = z.infer<typeof Assertion>;

/** `RegistrationResponseJSON`. */
export const Attestation = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: Base64Url,
        attestationObject: Base64Url,
        transports: z.optional(z.array(z.string().check(z.maxLength(32))).check(z.maxLength(8))),
      })
      .register(madeElsewhere, {}),
  })
  .register(madeElsewhere, {});
export type Attestation = z.infer<typeof Attestation>;
