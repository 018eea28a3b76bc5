/**
 * Refuses a camera's address when it is saved, if it is an IP address to which no connection would be made: the user
 * who typed it sees the error at once. A host name is judged by its addresses at each connection
 * (`media/sources/dial`), and so is an address that is refused here.
 */
import { isIP } from 'node:net';
import { Problem } from '#lib/problem.ts';
import type { Addresses } from './hidden-addresses.ts';

/** `outside`: it would be allowed if NAZAR_CAMERA_NETWORKS named its network. */
export type JudgeAddress = (address: string, port: number) => 'allowed' | 'outside' | 'never';

const ports: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'rtsp:': 554,
  'rtsps:': 322,
};
const fields = ['url', 'sub_url'] as const;

/** Unchanged addresses are not judged again. Throws camera_network_refused, camera_url_refused, for a field. */
export function mustBeInNetwork(
  now: Addresses,
  before: Addresses | null,
  judge: JudgeAddress,
): void {
  for (const field of fields) {
    const url = now[field] === before?.[field] ? null : URL.parse(now[field]);
    const host = url ? hostOf(url) : '';
    if (!url || isIP(host) === 0) continue;
    const verdict = judge(host, Number(url.port) || (ports[url.protocol] ?? 0));
    if (verdict === 'allowed') continue;
    const code = verdict === 'outside' ? 'camera_network_refused' : 'camera_url_refused';
    throw new Problem(code, { field });
  }
}

/** Also an IPv4 address in a spelling that only resolvers know: `0x64.0144.100.200`, `1684301000`. */
function hostOf({ hostname }: URL): string {
  const plain = URL.parse(`http://${hostname}/`)?.hostname ?? hostname;
  return plain.replace(/^\[|\]$/g, '');
}
