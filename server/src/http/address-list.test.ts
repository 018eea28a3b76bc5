import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { allowsAddress, parseAddressList } from './address-list.ts';

/** A list, addresses that it lets in, and others. */
const lists: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['All', ['203.0.113.9', '2001:db8::1', '127.0.0.1'], []],
  ['', ['203.0.113.9', '::1'], []],
  [' all ', ['203.0.113.9'], []],
  [
    '203.0.113.9',
    ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109'],
    ['203.0.113.8', '::1'],
  ],
  ['::ffff:203.0.113.9', ['203.0.113.9', '::ffff:203.0.113.9'], ['203.0.113.8']],
  ['0:0:0:0:0:FFFF:203.0.113.9', ['203.0.113.9'], ['203.0.113.10']],
  ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3'], ['9.255.255.255', '11.0.0.0']],
  ['10.1.2.3/8', ['10.9.9.9'], ['11.1.2.3']],
  ['192.0.2.4/31', ['192.0.2.4', '192.0.2.5'], ['192.0.2.3', '192.0.2.6']],
  ['192.0.2.4/32', ['192.0.2.4'], ['192.0.2.5']],
  ['0.0.0.0/0', ['1.2.3.4', '::ffff:1.2.3.4'], ['2001:db8::1', '::1']],
  ['::/0', ['2001:db8::1', '::1'], ['1.2.3.4', '::ffff:1.2.3.4']],
  ['::ffff:10.0.0.0/104', ['10.9.9.9'], ['11.0.0.1', '::1']],
  ['2001:db8::/33', ['2001:db8:7fff::1', '2001:0DB8::0001'], ['2001:db8:8000::1', '10.0.0.1']],
  ['fe80::1', ['fe80::1', 'fe80::1%eth0'], ['fe80::2%eth0']],
  ['10.0.0.1, 2001:db8::5 ,192.0.2.0/24', ['10.0.0.1', '2001:db8::5', '192.0.2.77'], ['10.0.0.2']],
];

test('SEC-012, H-23 a list lets in exactly the addresses and networks it names, however they are written', () => {
  for (const [list, inside, outside] of lists) {
    for (const ip of inside) assert.equal(allowsAddress(list, ip), true, `${list} <- ${ip}`);
    for (const ip of outside) assert.equal(allowsAddress(list, ip), false, `${list} <- ${ip}`);
  }
});

test('SEC-012 an invalid address is named, and a list with it lets in no one', () => {
  const garbage = [
    'localhost',
    '10.0.0',
    '010.0.0.1',
    '10.0.0.256',
    '10.0.0.1/33',
    '10.0.0.1/-1',
    '10.0.0.1/08',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '10.0.0.0-10.0.0.9',
    '2001:db8::/129',
    '::ffff:10.0.0.1/95',
    '2001:db8::1::2',
    'fe80::1%eth0',
    '[::1]',
    '10.0.0.1:80',
    '10.0.0.1;10.0.0.2',
    '10.0.0.1 10.0.0.2',
    "'; drop table setting; --",
    '١٠.٠.٠.١',
    'All, 10.0.0.1',
  ];
  for (const text of garbage) {
    assert.ok('wrong' in parseAddressList(text), text);
    assert.equal(allowsAddress(text, '10.0.0.1'), false, text);
  }
  assert.deepEqual(parseAddressList('10.0.0.1,, 10.0.0.2'), { wrong: '' });
  assert.deepEqual(parseAddressList('10.0.0.1, rubbish'), { wrong: 'rubbish' });
  const many = Array.from({ length: 201 }, (_, index) => `10.0.0.${index % 200}`).join(',');
  assert.ok('wrong' in parseAddressList(many));
});

test('SEC-012 a caller whose address is unreadable is in no list but All', () => {
  for (const ip of ['', 'unknown', '1.2.3', '<script>']) {
    assert.equal(allowsAddress('0.0.0.0/0, ::/0', ip), false);
    assert.equal(allowsAddress('All', ip), true);
  }
});

test('SEC-012 a network of n bits holds an address exactly when their first n bits agree', () => {
  const toNumber = (ip: string): number =>
    ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (net, ip, bits) => {
      const size = 2 ** (32 - bits);
      const same = Math.floor(toNumber(net) / size) === Math.floor(toNumber(ip) / size);
      assert.equal(allowsAddress(`${net}/${bits}`, ip), same);
      assert.equal(allowsAddress(`${net}/${bits}`, `::ffff:${ip}`), same);
      assert.equal(allowsAddress(`::ffff:${net}/${96 + bits}`, ip), same);
    }),
  );
});

test('SEC-012 no text makes the parser throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.oneof(fc.string(), fc.ipV6(), fc.ipV4()), (list, ip) => {
      allowsAddress(list, ip);
      allowsAddress(ip, list);
    }),
  );
});
