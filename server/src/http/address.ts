/**
 * The caller's network address: the socket's own, or what a trusted proxy says it was.
 * Fastify resolves the latter from `trustProxy`; this only groups addresses the way throttles count them.
 */
import { isIPv6 } from 'node:net';

/** IPv4 by /24 and IPv6 by /64, so that one subscriber counts as one caller however many addresses they hold. */
export function addressGroup(ip: string): string {
  const plain = ip.startsWith('::ffff:') ? ip.slice(7) : ip;
  if (!isIPv6(plain)) return plain.split('.').slice(0, 3).join('.');
  return expandIPv6(plain).slice(0, 4).join(':');
}

export function isLoopback(ip: string): boolean {
  const plain = ip.startsWith('::ffff:') ? ip.slice(7) : ip;
  return plain === '::1' || plain.startsWith('127.');
}

/** The eight groups of an IPv6 address, `::` filled in. */
function expandIPv6(ip: string): string[] {
  const [head = '', tail] = ip.split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}
