/** IP addresses, each in one canonical spelling, so that they can be compared as text. */
import { isIP } from 'node:net';

export interface Address {
  readonly family: 'ipv4' | 'ipv6';
  readonly address: string;
}

/**
 * An IPv4 address in dots, an IPv6 address as RFC 5952 writes it; an IPv4 address that IPv6 carries as
 * `::ffff:a.b.c.d` becomes that IPv4 address. Null: it is no address, or it names an interface (`%eth0`).
 */
export function parseAddress(text: string): Address | null {
  const version = text.includes('%') ? 0 : isIP(text);
  if (version === 0) return null;
  if (version === 4) return { family: 'ipv4', address: text };
  // A URL writes `::ffff:a.b.c.d` as `::ffff:aabb:ccdd`.
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return { family: 'ipv6', address };
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return { family: 'ipv4', address: [a >> 8, a & 255, b >> 8, b & 255].join('.') };
}
