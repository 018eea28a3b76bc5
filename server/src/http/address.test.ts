import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressGroup, isLoopback } from './address.ts';
import { hostName } from './guards.ts';
import { readerLanguage } from './sentences.ts';

test('C-104 one subscriber is one caller: IPv4 by /24, IPv6 by /64, however it is written', () => {
  assert.equal(addressGroup('203.0.113.9'), addressGroup('203.0.113.200'));
  assert.notEqual(addressGroup('203.0.113.9'), addressGroup('203.0.114.9'));
  assert.equal(addressGroup('::ffff:203.0.113.9'), addressGroup('203.0.113.9'));
  assert.equal(addressGroup('2001:db8::1'), addressGroup('2001:0db8:0:0:ffff::2'));
  assert.notEqual(addressGroup('2001:db8:0:1::1'), addressGroup('2001:db8:0:2::1'));
  assert.equal(addressGroup('fe80::1%eth0'), addressGroup('fe80::2'));
});

test('loopback is this machine in any spelling', () => {
  for (const ip of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    assert.ok(isLoopback(ip), ip);
  for (const ip of ['128.0.0.1', '::2', '10.0.0.1']) assert.ok(!isLoopback(ip), ip);
});

test('C-704 the host is named without its port', () => {
  const names = [
    'LOCALHOST:8080',
    '[::1]:8080',
    '[::1]',
    '127.0.0.1',
    undefined,
    'evil.example:80',
  ];
  assert.deepEqual(names.map(hostName), [
    'localhost',
    '[::1]',
    '[::1]',
    '127.0.0.1',
    '',
    'evil.example',
  ]);
});

test('the first language that we speak, by how much the reader wants it', () => {
  assert.equal(readerLanguage('fr, tr;q=0.8, ru;q=0.9'), 'ru');
  assert.equal(readerLanguage('az-AZ'), 'az');
  assert.equal(readerLanguage('ru;q=0'), 'en');
  for (const odd of [undefined, '', '*', ';;;', 'tr;q=x'.repeat(50), 'q=1']) {
    assert.match(readerLanguage(odd), /^(en|tr)$/);
  }
});
