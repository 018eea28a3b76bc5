import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushServiceJudge } from './service-addresses.ts';

const policy = (reach: { allowLoopback: boolean; networks: readonly string[] }) => ({
  ...reach,
  ownAddresses: ['198.18.0.1', '93.184.216.34'],
  ownPorts: [8080],
});
const never = ['169.254.169.254', 'fe80::1', 'fd00:ec2::254', '100.100.100.200', '0.0.0.0', 'name'];

test('~C-510 a push service is public; private networks and this machine are refused unless they are named', () => {
  const allows = pushServiceJudge([], policy);
  for (const address of ['142.250.1.1', '2a00:1450::1']) assert.ok(allows(address, 443), address);
  const house = ['10.0.0.5', '192.168.1.4', 'fd12::1', '127.0.0.1', '::1', '93.184.216.34'];
  for (const address of [...house, ...never]) assert.ok(!allows(address, 443), address);
});

test('~C-510 what is named is allowed beside public services, but no port of Nazar, no link and no metadata', () => {
  const allows = pushServiceJudge(['10.0.0.0/24', '127.0.0.1', '169.254.0.0/16'], policy);
  for (const address of ['10.0.0.5', '127.0.0.1', '142.250.1.1']) assert.ok(allows(address, 443));
  assert.ok(!allows('127.0.0.1', 8080));
  for (const address of ['10.0.1.5', '192.168.1.4', '127.0.0.2', ...never]) {
    assert.ok(!allows(address, 443), address);
  }
});
