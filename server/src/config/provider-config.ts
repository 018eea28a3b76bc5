/** Where else people may sign in, from the environment. A part of `config.ts`, which calls it. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseRoleMap, type ProviderOptions } from '#accounts/accounts.ts';
import { Refusal } from '#lib/refusal.ts';

const text = z.string().nullable().default(null);
const onOff = (name: string) =>
  z
    .enum(['on', 'off'], `${name} must be on or off`)
    .default('off')
    .transform((value) => value === 'on');

/** Every variable with its default. */
export const providerVariables = {
  /** Address of the provider, as it names itself; null: people sign in here only. */
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'OIDC_ISSUER must be an address' })
    .nullable()
    .default(null),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  /** A file with the secret, which is then in no environment. */
  OIDC_CLIENT_SECRET_FILE: text,
  /** Null: the host name of the issuer. */
  OIDC_NAME: text,
  OIDC_ROLE_CLAIM: z.string().default('groups'),
  OIDC_ROLE_MAP: z
    .string()
    .transform(parseRoleMap)
    .refine(
      (map) => map !== null,
      'OIDC_ROLE_MAP must be like cameras-admins=admin,ops=operator with the roles user, operator, admin, superadmin',
    )
    .default(new Map()),
  OIDC_CREATE: onOff('OIDC_CREATE'),
  OIDC_CONNECT_BY_EMAIL: onOff('OIDC_CONNECT_BY_EMAIL'),
  /** Values of `amr` or `acr` that count as a second factor. */
  OIDC_SECOND_FACTOR: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    )
    .default([]),
};

type Variables = z.output<z.ZodObject<typeof providerVariables>>;

/** Throws a Refusal when what is set does not make a provider. */
export function providerOf(given: Variables, publicUrl: string | null): ProviderOptions | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given;
  if (issuer === null) return null;
  const clientSecret = secretOf(given);
  if (clientId === null || clientSecret === null || publicUrl === null) {
    throw new Refusal(
      'OIDC_ISSUER needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE, and NAZAR_PUBLIC_URL, the address that the provider sends people back to.',
    );
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !['127.0.0.1', '[::1]'].includes(hostname)) {
    throw new Refusal(
      'OIDC_ISSUER must be https: who can read or change what it says can be anybody here.',
    );
  }
  return Object.freeze({
    issuer,
    clientId,
    clientSecret,
    name: given.OIDC_NAME ?? hostname,
    publicUrl,
    roleClaim: given.OIDC_ROLE_CLAIM,
    roleMap: given.OIDC_ROLE_MAP ?? new Map(),
    creates: given.OIDC_CREATE,
    connectsByEmail: given.OIDC_CONNECT_BY_EMAIL,
    strong: given.OIDC_SECOND_FACTOR,
  });
}

function secretOf(given: Variables): string | null {
  const path = given.OIDC_CLIENT_SECRET_FILE;
  if (path === null) return given.OIDC_CLIENT_SECRET;
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(`OIDC_CLIENT_SECRET_FILE=${path} cannot be read (${code}).`, {
      cause: error,
    });
  }
}
