/**
 * A list of addresses as a user types it: `All`, or IPv4 and IPv6 addresses and networks (CIDR), separated by
 * commas. An IPv4 address is the same one in every spelling, also inside IPv6.
 */
import { BlockList, isIP } from 'node:net';
import { parseAddress, type Address } from '#lib/ip-address.ts';

const everybody = /^(all|\*)?$/i;
const maxEntries = 200;

export interface AddressList {
  allows(ip: string): boolean;
}

/** The parsed list, or the first entry that is not an address. */
export function parseAddressList(text: string): AddressList | { readonly wrong: string } {
  if (everybody.test(text.trim())) return { allows: () => true };
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > maxEntries) return { wrong: entries[maxEntries] ?? '' };
  // Each family has its own list: in one list `::/0` would hold every IPv4 address too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const network = parseNetwork(entry);
    if (!network) return { wrong: entry };
    lists[network.family].addSubnet(network.address, network.bits, network.family);
  }
  return {
    allows: (ip) => {
      const caller = parseAddress(ip.split('%')[0] ?? '');
      return caller !== null && lists[caller.family].check(caller.address, caller.family);
    },
  };
}

/** Whether a list that was checked when it was saved admits this address; an invalid list admits none. */
export function allowsAddress(text: string, ip: string): boolean {
  const list = parseAddressList(text);
  return 'allows' in list && list.allows(ip);
}

const allBits = { ipv4: 32, ipv6: 128 } as const;
/** The bits before the IPv4 address in an IPv6 address that carries one. */
const mappedBits = allBits.ipv6 - allBits.ipv4;

function parseNetwork(entry: string): (Address & { readonly bits: number }) | null {
  const [text = '', prefix, ...rest] = entry.split('/');
  const parsed = parseAddress(text);
  if (!parsed || rest.length > 0) return null;
  if (prefix === undefined) return { ...parsed, bits: allBits[parsed.family] };
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix)) return null;
  const isMapped = parsed.family === 'ipv4' && isIP(text) === 6;
  const bits = Number(prefix) - (isMapped ? mappedBits : 0);
  return bits >= 0 && bits <= allBits[parsed.family] ? { ...parsed, bits } : null;
}
