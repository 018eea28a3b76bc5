/**
 * Decides which addresses a camera may have. A person types a camera's address, and it may name anything that
 * this machine can reach, so everything that is never a camera is refused: this machine, the link, cloud metadata,
 * multicast and reserved ranges. The policy judges addresses, never names: names are resolved first. No setting allows
 * an address that is never a camera.
 */
import { BlockList, isIP } from 'node:net';
import { parseAddress } from '#lib/ip-address.ts';

export interface AddressPolicy {
  /** For tests and demonstrations only: this machine's own addresses count as private ones. */
  readonly allowLoopback: boolean;
  /**
   * Further networks of cameras, as CIDR, beside the private ranges (RFC 1918, RFC 4193): of a VPN, routed ones, public
   * ones. What is never a camera stays refused inside them.
   */
  readonly networks: readonly string[];
  /** Addresses of this machine's interfaces. */
  readonly ownAddresses: readonly string[];
  /** Ports that the product listens on; refused on own addresses even where loopback is allowed. */
  readonly ownPorts: readonly number[];
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const loopback = blockList(['127.0.0.0/8', '::1/128']);
const private_ = blockList(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']);
/**
 * Metadata services give out the credentials of the machine. Most clouds answer at 169.254.169.254 and fe80::a9fe:a9fe,
 * which are link-local; these lie in private or public ranges, as the clouds document them.
 */
const metadata = [
  'fd00:ec2::/32', // AWS: instances ::254, pods ::23, names ::253, time ::123
  'fd20:ce::254/128', // Google Cloud
  '168.63.129.16/32', // Azure, a public address
  '192.0.0.192/32', // Oracle Cloud Classic
  'fd00:c1::a9fe:a9fe/128', // Oracle Cloud
  '100.100.100.200/32', // Alibaba Cloud
  'fd00:100::100:200/128',
  'fd00:a9fe:a9fe::1/128', // Akamai (Linode)
  'fd00:42::42/128', // Scaleway
  // Tailscale answers on each machine itself: names, and a page that needs no password.
  '100.100.100.100/32',
  'fd7a:115c:a1e0::53/128',
];
const never = blockList([
  ...metadata,
  '0.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata service of most clouds
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved and broadcast
  '::/128',
  '::ffff:0:0:0/96', // SIIT: an IPv4 address in disguise
  '64:ff9b::/96', // NAT64: an IPv4 address in disguise
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16', // 6to4: an IPv4 address in disguise
  'fe80::/10', // link-local, and the metadata service of many clouds
  'fec0::/10',
  'ff00::/8',
]);

never.addRange('::2', '::ffff:ffff', 'ipv6'); // IPv4 addresses as `::127.0.0.1`; `::1` is loopback

/** `outside`: it would be allowed if its network were named. */
export type AddressVerdict = 'allowed' | 'outside' | 'never';

/** Whether a connection for a camera may go to that address. Anything that is not an IP address is refused. */
export const isAllowed = (given: string, port: number, policy: AddressPolicy): boolean =>
  verdictOf(given, port, policy) === 'allowed';

export function verdictOf(given: string, port: number, policy: AddressPolicy): AddressVerdict {
  const parsed = parseAddress(given.replace(/%.*$/, ''));
  if (!parsed || !Number.isInteger(port) || port < 1 || port > 65_535) return 'never';
  const { address, family } = parsed;
  if (never.check(address, family)) return 'never';
  if (loopback.check(address, family) || policy.ownAddresses.includes(address)) {
    return policy.allowLoopback && !policy.ownPorts.includes(port) ? 'allowed' : 'never';
  }
  if (private_.check(address, family)) return 'allowed';
  return blockList(policy.networks).check(address, family) ? 'allowed' : 'outside';
}
