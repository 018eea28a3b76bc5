import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { SealBroken, SecretKey } from './secrets.ts';

test('C-601 a sealed value opens in its place only, and reports any damage', () => {
  const key = SecretKey.random();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(), fc.nat(), (plain, at, length) => {
      const sealed = key.seal(plain, 'table.column:1');
      assert.deepEqual(key.open(sealed, 'table.column:1'), Buffer.from(plain));
      assert.throws(() => key.open(sealed, 'table.column:2'), SealBroken);
      assert.throws(() => SecretKey.random().open(sealed, 'table.column:1'), SealBroken);
      const cut = sealed.subarray(0, length % sealed.length);
      assert.throws(() => key.open(cut, 'table.column:1'), SealBroken);
      const touched = Buffer.from(sealed);
      touched[at % touched.length]! ^= 1;
      assert.throws(() => key.open(touched, 'table.column:1'), SealBroken);
    }),
  );
});
