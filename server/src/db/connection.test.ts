import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionLost } from './connection.ts';

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });

test('a socket that is full, refused or gone has lost the connection; a statement that was refused has not', () => {
  for (const code of ['EAGAIN', 'ECONNREFUSED', 'ENOENT', '57P01', '08006']) {
    assert.equal(isConnectionLost(withCode(code)), true, code);
  }
  for (const code of ['23505', '40001', '53100', 'ENOSPC']) {
    assert.equal(isConnectionLost(withCode(code)), false, code);
  }
});
