/**
 * The addresses of a camera as they are stored: the secrets in their paths and queries are sealed beside them, and a
 * mask replaces them, so that no row, answer, log or backup shows them. Pure.
 */
import {
  isMasked,
  maskedAddress,
  secretOfKey,
  secretsIn,
  unmaskedAddress,
  type AddressSecret,
} from '@nazar/contract/address-secrets.ts';
import { Problem } from '#lib/problem.ts';
import { endpoint } from './endpoint.ts';

export const addressFields = ['url', 'sub_url', 'device_url'] as const;
export type AddressField = (typeof addressFields)[number];
export type Addresses = Readonly<Record<AddressField, string>>;
type Secrets = Readonly<Partial<Record<AddressField, readonly AddressSecret[]>>>;

const each = (of: (field: AddressField) => string): Addresses => ({
  url: of('url'),
  sub_url: of('sub_url'),
  device_url: of('device_url'),
});

/** The addresses to show, and the secrets to seal; null if there are none. */
export function hidden(whole: Addresses): {
  readonly shown: Addresses;
  readonly secrets: string | null;
} {
  const secrets: Secrets = Object.fromEntries(
    addressFields.flatMap((field) => {
      const found = secretsIn(whole[field]);
      return found.length === 0 ? [] : [[field, found]];
    }),
  );
  const isEmpty = Object.keys(secrets).length === 0;
  return {
    shown: each((field) => maskedAddress(whole[field])),
    secrets: isEmpty ? null : JSON.stringify(secrets),
  };
}

/** The addresses with the secrets that were sealed; null if a secret is missing. */
export function unhidden(shown: Addresses, secrets: string | null): Addresses | null {
  const known = (secrets === null ? {} : JSON.parse(secrets)) as Secrets;
  const whole = addressFields.map((field) =>
    unmaskedAddress(shown[field], secretOfKey(known[field] ?? [])),
  );
  if (whole.includes(null)) return null;
  return each((field) => whole[addressFields.indexOf(field)]!);
}

/**
 * A mask that is sent back stands for the old secret, for the same host and port alone; in a new address it stands for
 * the camera's password, which devices that name their streams put there. Throws camera_url_masked.
 */
export function filledIn(shown: Addresses, before: Addresses | null, password: string): Addresses {
  return each((field) => {
    const url = shown[field];
    if (!isMasked(url)) return url;
    const known = before?.[field] ?? '';
    const isSame = endpoint(known) === endpoint(url);
    const kept = isSame ? unmaskedAddress(url, secretOfKey(secretsIn(known))) : null;
    const typed = encodeURIComponent(password) || undefined;
    const whole = kept ?? unmaskedAddress(url, () => typed);
    if (whole === null) throw new Problem('camera_url_masked', { field });
    return whole;
  });
}
