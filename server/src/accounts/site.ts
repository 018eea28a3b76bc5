/** The name under which this installation was opened: passkeys belong to a name, and never to a bare IP address. */
import { isIP } from 'node:net';
import { Problem } from '#lib/problem.ts';

export interface Site {
  /** WebAuthn's relying party id. */
  readonly host: string;
  readonly origin: string;
}

/** `header`: the Host, which the guards have compared with the names of this installation. */
export function siteOf(protocol: string, header: string | undefined): Site | null {
  const origin = `${protocol}://${header ?? ''}`;
  if (!URL.canParse(origin)) return null;
  const { hostname } = new URL(origin);
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress ? null : { host: hostname, origin: new URL(origin).origin };
}

/** Throws passkeys_need_a_name. */
export function mustHaveName(site: Site | null | undefined): Site {
  if (!site) throw new Problem('passkeys_need_a_name');
  return site;
}
