/** Passkeys as the browser makes and shows them; what is asked and answered is between it and the server. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { passkeyRoutes } from '@nazar/contract/passkeys.ts';
import { proofRoutes, type FreshProof } from '@nazar/contract/proof.ts';
import type { Assertion, Attestation, CeremonyOptions } from '@nazar/contract/webauthn.ts';
import { call } from './call.ts';

/** Why passkeys do not work in this browser, at this address; null: they do. */
export function passkeyObstacle(): 'address' | 'browser' | null {
  const { hostname } = window.location;
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) return 'address';
  return window.isSecureContext && typeof PublicKeyCredential === 'function' ? null : 'browser';
}

/** Null: the reader cancelled, or took too long. */
async function unlessCancelled<T>(ceremony: Promise<T>): Promise<T | null> {
  try {
    return await ceremony;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    if (name === 'NotAllowedError' || name === 'AbortError') return null;
    throw error;
  }
}

/** Loaded when a reader starts to use a passkey, not with every page that offers one. */
const ceremonies = () => import('@simplewebauthn/browser');

async function show({ options }: CeremonyOptions): Promise<Assertion | null> {
  const { startAuthentication } = await ceremonies();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return unlessCancelled(startAuthentication({ optionsJSON }) as Promise<Assertion>);
}

/** In place of the password. */
export async function showForSignIn(): Promise<Assertion | null> {
  return show(await call(passkeyRoutes.loginOptions, {}));
}

/** After the password. */
export async function showForSecondStep(challenge: string): Promise<Assertion | null> {
  return show(await call(passkeyRoutes.secondStepOptions, { body: { challenge } }));
}

/** Fresh proof by a user who is signed in. */
export async function showAsFreshProof(): Promise<Assertion | null> {
  return show(await call(proofRoutes.passkeyOptions, {}));
}

export async function makePasskey(body: FreshProof): Promise<Attestation | null> {
  const { options } = await call(passkeyRoutes.addOptions, { body });
  const { startRegistration } = await ceremonies();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return unlessCancelled(startRegistration({ optionsJSON }) as Promise<Attestation>);
}
