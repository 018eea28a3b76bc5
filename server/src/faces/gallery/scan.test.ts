import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScan, shortFormBytes } from './scan.ts';

test('a row beyond 2 GiB has its own address, as half of a million vectors of 512 numbers have', () => {
  const beyond = 2 ** 31;
  const pages = beyond / 65_536 + 1;
  // Pages that are never written take no memory.
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const scan = createScan(16, memory);
  const end = beyond + shortFormBytes(16);
  assert.equal(scan(beyond, end, 1, 0, 0), beyond, 'as near as the probe');
  assert.equal(scan(beyond, end, 1, 0, 4), end, 'ruled out');
});
