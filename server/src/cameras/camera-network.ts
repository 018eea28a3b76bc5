/**
 * Refuses an address of a camera when it is saved, where it is an IP address that no connection would be made to: who
 * typed it learns it at once. A name is judged by its addresses at each connection (`media/sources/dial`), and so is
 * what is refused here.
 */
import { isIP } from 'node:net';
import { Problem } from '#lib/problem.ts';
import type { Addresses } from './hidden-addresses.ts';

/** `outside`: it would be allowed if its network were named in NAZAR_CAMERA_NETWORKS. */
export type JudgeAddress = (address: string, port: number) => 'allowed' | 'outside' | 'never';

const ports: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'rtsp:': 554,
  'rtsps:': 322,
};
const fields = ['url', 'sub_url'] as const;

/** What stays as it was is not judged again. Throws camera_network_refused, camera_url_refused, of a field. */
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
