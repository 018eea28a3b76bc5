/**
 * Which addresses a camera may have (C-510). A camera's address is typed by a person and may name anything
 * that this machine can reach, so everything that is never a camera is refused: this machine, the link,
 * cloud metadata, multicast and reserved ranges. Judges addresses, never names: names are resolved first.
 */
import { BlockList, isIP } from 'node:net';

export interface AddressPolicy {
  /** Only for tests and demonstrations: this machine's own addresses count as private ones. */
  readonly allowLoopback: boolean;
  /** Cameras beyond the private ranges (RFC 1918, RFC 4193). */
  readonly allowPublic: boolean;
  /** Addresses of this machine's interfaces. */
  readonly ownAddresses: readonly string[];
  /** Ports this product listens on here; refused on own addresses even where loopback is allowed. */
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
const never = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16', // link-local, and the metadata service of most clouds
  '100.100.100.200/32', // metadata (Alibaba)
  '192.0.0.0/24', // metadata (Oracle) and protocol assignments
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
  'fd00:ec2::254/128', // metadata (AWS)
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

never.addRange('::2', '::ffff:ffff', 'ipv6'); // IPv4 addresses as `::127.0.0.1`; `::1` is loopback

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const mappedHex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

/** `::ffff:127.0.0.1` and `::ffff:7f00:1` are 127.0.0.1, and are judged as such. */
function unmapped(address: string): string {
  const dotted = mapped.exec(address)?.[1];
  if (dotted) return dotted;
  const hex = mappedHex.exec(address);
  if (!hex) return address;
  const value = (Number.parseInt(hex[1] ?? '', 16) << 16) | Number.parseInt(hex[2] ?? '', 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

/** Whether a connection for a camera may go there. Anything that is not an IP address is refused. */
export function isAllowed(given: string, port: number, policy: AddressPolicy): boolean {
  const address = unmapped(given.replace(/%.*$/, ''));
  const version = isIP(address);
  if (version === 0 || !Number.isInteger(port) || port < 1 || port > 65_535) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (never.check(address, family)) return false;
  if (loopback.check(address, family) || policy.ownAddresses.includes(address)) {
    return policy.allowLoopback && !policy.ownPorts.includes(port);
  }
  return policy.allowPublic || private_.check(address, family);
}
