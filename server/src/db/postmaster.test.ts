import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeLock } from './postmaster.ts';

const second = 1_000;

test('a lock file is respected while its server, or a child of it, may live', () => {
  assert.equal(judgeLock('running', true, 5, 0), 'wait', 'it starts, recovers or stops');
  assert.equal(judgeLock('running', null, 0, 100 * second), 'wait', 'cannot be seen: may be it');
  assert.equal(judgeLock('gone', null, 3, 0), 'wait', 'its children have not noticed yet');
  assert.equal(judgeLock('zombie', false, 1, 60 * second), 'wait');
});

test('a killed server that was never reaped is waited for, then passed over', () => {
  assert.equal(judgeLock('zombie', false, 0, 0), 'wait');
  assert.equal(judgeLock('zombie', false, 0, 11 * second), 'remove');
});

test('PostgreSQL gets over the lock file of a process that is gone by itself', () => {
  assert.equal(judgeLock('gone', null, 0, 0), 'start');
});

test('a number that belongs to another program now is a leftover', () => {
  assert.equal(judgeLock('running', false, 0, 0), 'remove');
});
