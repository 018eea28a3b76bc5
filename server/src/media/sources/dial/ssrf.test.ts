/** C-510: addresses that a user may type for a camera to reach this machine or its neighbours by a trick. */
import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { splitAddress } from '#cameras/address.ts';
import { Problem } from '#lib/problem.ts';
import type { AddressPolicy } from '../../protocol/address-policy.ts';
import { dial } from './dial.ts';
import { IngestFault } from '../../protocol/fault.ts';

const signal = new AbortController().signal;
const everywhere = ['0.0.0.0/0', '::/0'];
/** The networks of what is never a camera, as a user may name them. */
const named =
  `127.0.0.0/8 ::1/128 0.0.0.0/8 169.254.0.0/16 100.64.0.0/10 100.100.100.200/32 168.63.129.16/32 192.0.0.0/24
  fd00:ec2::/32 fd00:ec2::254/128 fe80::/10 ff00::/8 224.0.0.0/4 64:ff9b::/96 2002::/16 ::ffff:0:0/96 ::/96
  fd7a:115c:a1e0::/48`.split(/\s+/);
const strict: AddressPolicy = {
  allowLoopback: false,
  networks: [],
  ownAddresses: [],
  ownPorts: [],
};

/** Hosts as they are written in an address. */
const written =
  `127.0.0.1 127.1 127.0.1 127.127.127.127 0 0.0.0.0 0.0.0.1 2130706433 4294967295 0x7f000001
  0x7F.1 0x7f.0.0.1 0177.0.0.1 0177.1 00177.00.00.01 017700000001 0x7f.0x0.0x0.0x1 127.0.0.1. 127.0.0.0x1
  127.0x1 0300.0250.1.1.5 localhost LOCALHOST localhost. LocalHost%2e %6cocalhost %31%32%37.0.0.1
  127%2e0%2e0%2e1 ⓛocalhost ｌｏｃａｌｈｏｓｔ loca­lhost １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1
  [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::] [::0] [::127.0.0.1] [::7f00:1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [0:0:0:0:0:FFFF:127.0.0.1] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1]
  [fec0::1] [ff02::1] [fd00:ec2::254] [::ffff:169.254.169.254] 169.254.169.254 0xa9fea9fe 2852039166
  0251.0376.0251.0376 100.100.100.200 192.0.0.192 [fd20:ce::254] [FD20:00CE:0:0:0:0:0:254] [fd00:ec2::23]
  [fd00:c1::a9fe:a9fe] [fd00:100::100:200] [fd00:a9fe:a9fe::1] [fd00:42::42] [fe80::a9fe:a9fe] 168.63.129.16
  2822734096 0xa83f8110 100.100.100.100 0x64646464 [::ffff:6464:6464] [64:ff9b::6464:64c8] 1684301000 0144.0144.0144.0310
  0x64.0x64.0x64.0xc8 [::ffff:6464:64c8] [0:0:0:0:0:ffff:6464:64c8] [::6464:64c8] [2002:6464:64c8::]
  [fd7a:115c:a1e0::53] [fd00:0ec2:0:0::254] 169.254.170.2 169.254.170.23 169.254.0.23 [::ffff:100.100.100.200]
  [64:ff9b::a83f:8110] [2002:a9fe:a9fe::1] [64:ff9b::100.100.100.200] 224.0.0.1 255.255.255.255 user@127.0.0.1
  8.8.8.8@127.0.0.1 192.168.1.20:x@127.0.0.1 127.0.0.1#@192.168.1.20 127.0.0.1?@192.168.1.20
  127.0.0.1/@192.168.1.20`
    .trim()
    .split(/\s+/);
/** Names for which a name server answers with a forbidden address, and its answers. */
const lies: Readonly<Record<string, readonly string[]>> = {
  'camera.example': ['127.0.0.1'],
  '127.0.0.1.nip.example': ['127.0.0.1'],
  'both.example': ['192.0.2.1', '::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'compatible.example': ['::127.0.0.1'],
  'xn--nazr-qqa.example': ['0.0.0.0'],
  'metadata.example': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254', 'fd20:ce::254'],
  'metadata.goog': ['fd20:ce::254'],
  'instance-data.ec2.internal': ['fd00:ec2::254'],
  'metadata.tencentyun.com': ['169.254.0.23'],
  'metadata.azure.internal': ['168.63.129.16'],
  'metadata.oraclecloud.example': ['192.168.1.20', 'fd00:c1::a9fe:a9fe'],
  'rubbish.example': ['localhost'],
};

let listeners: Server[];
let port: number;
let accepted = 0;

before(async () => {
  const first = await listen('127.0.0.1', 0);
  port = (first.address() as { port: number }).port;
  // Where the machine has no IPv6 nothing can be reached by it.
  listeners = [first, ...(await Promise.allSettled([listen('::1', port)])).flatMap(valueOf)];
});
after(() => listeners.forEach((server) => server.close()));

const valueOf = (result: PromiseSettledResult<Server>): Server[] =>
  result.status === 'fulfilled' ? [result.value] : [];

async function listen(host: string, at: number): Promise<Server> {
  const server = createServer((socket) => {
    accepted += 1;
    socket.destroy();
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(at, host, listening.resolve);
  await listening.promise;
  return server;
}

/** The machine's own resolver reads numbers in every base; every other name resolves to this machine. */
async function resolve(name: string): Promise<readonly string[]> {
  if (!/^[\da-fx.]+$/i.test(name)) return lies[name] ?? ['127.0.0.1', '::1'];
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** Takes the way of a camera's address: through the form, into a URL, to the dialer. */
async function reach(typed: string, policy: AddressPolicy): Promise<string> {
  try {
    const { url } = splitAddress(typed, 'rtsp');
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    const to = { host: decodeURIComponent(host), port, tls: false };
    (await dial(to, { policy, resolve }, signal)).destroy();
    return 'connected';
  } catch (error) {
    if (error instanceof IngestFault)
      return error.message === 'no connection' ? 'dialled' : error.fault;
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

test('C-510 100 ways to write a forbidden address connect nowhere, with public cameras allowed or not', async (t) => {
  const hosts = [...written, ...Object.keys(lies)];
  assert.ok(new Set(hosts).size >= 100);
  const outcomes = new Map<string, number>();
  for (const networks of [[], everywhere, named]) {
    for (const scheme of ['rtsp', 'http']) {
      for (const host of hosts) {
        const outcome = await reach(`${scheme}://${host}:${port}/`, { ...strict, networks });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        // `unreachable`: this machine's resolver does not know the name.
        const refused = [
          'address_refused',
          'camera_url_refused',
          'unreachable',
          'camera_url_special_characters',
        ];
        assert.ok(refused.includes(outcome), `${scheme}://${host}: ${outcome}`);
        assert.ok(outcome !== 'unreachable' || /^[\da-fx.]+$/i.test(host), host);
      }
    }
  }
  assert.equal(accepted, 0);
  t.diagnostic([...outcomes].map(([outcome, n]) => `${outcome}: ${n}`).join(', '));
});

test('C-511 a name that changes its address between two attempts is checked at each', async () => {
  const answers = [['127.0.0.1'], ['192.0.2.7'], ['::1'], ['127.0.0.1', '10.0.0.1']];
  for (const answer of answers) {
    const dialer = { policy: { ...strict, networks: everywhere }, resolve: async () => answer };
    const to = { host: 'rebinds.example', port, tls: false };
    await assert.rejects(dial(to, dialer, signal), { fault: 'address_refused' }, answer.join());
  }
  assert.equal(accepted, 0);
});

test('C-510 an allowed connection does reach the listener', async () => {
  assert.equal(
    await reach(`rtsp://127.0.0.1:${port}/`, { ...strict, allowLoopback: true }),
    'connected',
  );
  while (accepted === 0) await new Promise((resolve) => setImmediate(resolve));
});
