import assert from 'node:assert/strict';
import { createServer, isIPv4 } from 'node:net';
import { test } from 'node:test';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { isAllowed, verdictOf, type AddressPolicy } from '../../protocol/address-policy.ts';
import { dial } from './dial.ts';
import { IngestFault } from '../../protocol/fault.ts';

const everywhere = ['0.0.0.0/0', '::/0'];
const strict: AddressPolicy = {
  allowLoopback: false,
  networks: [],
  ownAddresses: ['192.168.1.5'],
  ownPorts: [],
};
const signal = new AbortController().signal;

/** The metadata services of clouds, which hold the credentials of a machine, as each of them documents it. */
const metadata = {
  aws: ['169.254.169.254', 'fd00:ec2::254'],
  'aws, containers and pods': ['169.254.170.2', '169.254.170.23', 'fd00:ec2::23'],
  google: ['169.254.169.254', 'fd20:ce::254'],
  azure: ['169.254.169.254', '168.63.129.16'],
  oracle: ['169.254.169.254', '192.0.0.192', 'fd00:c1::a9fe:a9fe'],
  alibaba: ['100.100.100.200', 'fd00:100::100:200'],
  tencent: ['169.254.0.23', '169.254.10.10'],
  'openstack, huawei, hetzner': ['169.254.169.254', 'fe80::a9fe:a9fe', 'fe80::a9fe:a9fe%eth0'],
  akamai: ['169.254.169.254', 'fd00:a9fe:a9fe::1'],
  scaleway: ['169.254.42.42', 'fd00:42::42'],
  'digitalocean, ibm, vultr, exoscale, yandex': ['169.254.169.254'],
} as const;

/** Forms in which IPv6 carries an IPv4 address: mapped, compatible, SIIT, NAT64, 6to4, Teredo. */
function inIpv6(dotted: string): string[] {
  const bytes = dotted.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  const [high, low] = [bytes.slice(0, 2).join(''), bytes.slice(2).join('')];
  return [
    `::ffff:${dotted}`,
    `::ffff:${high}:${low}`,
    `::FFFF:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:ffff:${dotted}`,
    `::${dotted}`,
    `::ffff:0:${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::`,
  ];
}

const private_ = ['10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.1.20', 'fd12::20'];
const never = [
  '0.0.0.0',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '169.254.1.1',
  '100.100.100.200',
  '192.0.0.192',
  '192.168.1.5',
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '240.0.0.1',
  '198.18.0.1',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '2002:7f00:1::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'localhost',
  '',
  '10.0.0.1/8',
];

test('C-510 private addresses are allowed, and addresses that are never cameras are refused', () => {
  for (const address of private_) assert.ok(isAllowed(address, 554, strict), address);
  for (const address of never) assert.ok(!isAllowed(address, 554, strict), address);
});

test('C-510 no metadata service of a cloud is a camera, however its address is written and whatever is allowed', () => {
  const everything = { ...strict, ownAddresses: [], networks: everywhere, allowLoopback: true };
  for (const [cloud, addresses] of Object.entries(metadata)) {
    for (const address of addresses) {
      const spellings = isIPv4(address) ? inIpv6(address) : [address.toUpperCase()];
      for (const spelling of [address, ...spellings]) {
        assert.ok(!isAllowed(spelling, 80, everything), `${cloud}: ${spelling}`);
      }
    }
  }
  assert.ok(!isAllowed('fd20:00ce:0:0:0:0:0:0254', 80, everything), 'written in full');
  for (const neighbour of ['fd20:ce::253', 'fd00:42::43', 'fd00::20', 'fdec:2::254']) {
    assert.ok(isAllowed(neighbour, 554, strict), `${neighbour} is a private address`);
  }
});

test('C-510 an address of this machine is one in any spelling', () => {
  const own = { ...strict, ownAddresses: ['192.168.1.5', 'fd12::5'] };
  for (const address of [
    ...inIpv6('192.168.1.5'),
    'FD12::5',
    'fd12:0:0:0:0:0:0:5',
    'fd12::5%eth0',
  ]) {
    assert.ok(!isAllowed(address, 554, own), address);
  }
});

test('C-510 named networks are allowed beside the private ones, and what is never a camera stays refused in them', () => {
  const vpn = { ...strict, networks: ['100.64.0.0/10', 'fd7a:115c:a1e0::/48', '203.1.0.0/16'] };
  const policy = { ...vpn, ownAddresses: ['100.64.0.9', '203.1.0.9'] };
  for (const address of [
    '100.64.0.2',
    '100.127.255.254',
    '203.1.2.3',
    '::ffff:100.64.0.2',
    '10.0.0.1',
  ]) {
    assert.equal(verdictOf(address, 554, policy), 'allowed', address);
  }
  for (const address of ['100.128.0.1', '203.2.0.1', '93.184.216.34', '2001:41d0::1']) {
    assert.equal(verdictOf(address, 554, policy), 'outside', address);
  }
  assert.equal(verdictOf('100.64.0.2', 554, strict), 'outside');
  const closed = ['100.64.0.9', '203.1.0.9', '100.100.100.200', '100.100.100.100'];
  for (const address of closed.flatMap((one) => [one, ...inIpv6(one)])) {
    assert.equal(verdictOf(address, 554, policy), 'never', address);
  }
  assert.equal(verdictOf('fd7a:115c:a1e0::53', 554, policy), 'never');
});

test('C-510 public addresses need their network; it opens nothing else', () => {
  const open = { ...strict, networks: everywhere };
  assert.ok(!isAllowed('93.184.216.34', 554, strict));
  assert.ok(isAllowed('93.184.216.34', 554, open));
  for (const address of never) assert.ok(!isAllowed(address, 554, open), address);
});

test('C-510 loopback can be allowed for tests, but never the own ports', () => {
  const testing = { ...strict, allowLoopback: true, ownPorts: [8080, 5432] };
  assert.ok(isAllowed('127.0.0.1', 8554, testing));
  assert.ok(isAllowed('::ffff:127.0.0.1', 8554, testing));
  assert.ok(!isAllowed('127.0.0.1', 8080, testing));
  assert.ok(!isAllowed('192.168.1.5', 5432, testing));
  assert.ok(!isAllowed('169.254.169.254', 80, testing));
});

test('an invalid port is refused', () => {
  for (const port of [0, -1, 65_536, Number.NaN]) assert.ok(!isAllowed('10.0.0.1', port, strict));
});

/** Ways to write this machine's address that a resolver understands. */
const disguises = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0',
  'localhost',
  'localhost.',
  '::1',
  '::ffff:127.0.0.1',
];

test('C-510 no way to write this machine reaches a listener on it', async () => {
  let accepted = 0;
  const server = createServer(() => (accepted += 1));
  const listening = Promise.withResolvers<void>();
  server.listen(0, listening.resolve);
  await listening.promise;
  const { port } = server.address() as { port: number };
  for (const host of disguises) {
    await assert.rejects(
      dial({ host, port, tls: false }, { policy: strict }, signal),
      (error) => error instanceof IngestFault,
      host,
    );
  }
  server.close();
  assert.equal(accepted, 0);
});

test('C-511 a name with one forbidden address is refused, and is asked once', async () => {
  let asked = 0;
  const resolve = async (): Promise<string[]> => {
    asked += 1;
    return ['10.255.255.1', '127.0.0.1'];
  };
  await assert.rejects(
    dial({ host: 'camera.example', port: 9, tls: false }, { policy: strict, resolve }, signal),
    (error) => (error as IngestFault).fault === 'address_refused',
  );
  assert.equal(asked, 1);
});

test('C-511 the checked address is the one that is connected to', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end('here'));
  const port = await listenOnLoopback(server);
  const answers = [['127.0.0.1'], ['127.0.0.2']];
  const resolve = async (): Promise<string[]> => answers.shift() ?? [];
  const policy = { ...strict, allowLoopback: true };
  const socket = await dial(
    { host: 'flips.example', port, tls: false },
    { policy, resolve },
    signal,
  );
  assert.equal(socket.remoteAddress, '127.0.0.1');
  assert.equal(answers.length, 1, 'the second answer was not asked for');
  socket.destroy();
  server.close();
});
