import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from 'otpauth';
import { SecretKey } from '#lib/secrets.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { newSecret, otpauthUri, stepOfCode } from './totp.ts';

/** RFC 6238, appendix B: the secret of the SHA-1 column, and the last six of its eight digits. */
const rfcSecret = Secret.fromLatin1('12345678901234567890').base32;
const rfcCodes: readonly (readonly [number, string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test('C-109 codes are those of RFC 6238, good for their own step, one before and one after', () => {
  for (const [seconds, code] of rfcCodes) {
    const step = Math.floor(seconds / 30);
    for (const off of [-1, 0, 1]) {
      assert.equal(stepOfCode(rfcSecret, code, (step + off) * 30_000), step);
      assert.equal(stepOfCode(rfcSecret, code, (step + off) * 30_000 + 29_999), step);
    }
    for (const off of [-2, 2]) {
      assert.equal(stepOfCode(rfcSecret, code, (step + off) * 30_000), null, `${off} steps`);
    }
  }
});

test('C-109 a text without six digits is no code', () => {
  for (const wrong of ['', '28708', '2870820', ' 287082', '28708२', '-87082', '0x4617a', 'NaN']) {
    assert.equal(stepOfCode(rfcSecret, wrong, 59_000), null, wrong);
  }
});

test('~SEC-010 the QR code says whose, of what, and how the codes are made', () => {
  const secret = newSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/, '160 bits');
  assert.notEqual(secret, newSecret());
  const uri = new URL(otpauthUri(secret, 'aysel+1@example.org'));
  assert.equal(`${uri.protocol}//${uri.host}`, 'otpauth://totp');
  assert.equal(decodeURIComponent(uri.pathname), '/Nazar:aysel+1@example.org');
  const { searchParams: said } = uri;
  assert.deepEqual(
    ['issuer', 'secret', 'algorithm', 'digits', 'period'].map((name) => said.get(name)),
    ['Nazar', secret, 'SHA1', '6', '30'],
  );
});

test('C-109 ten recovery codes, hashed under a key and for one account, however they are typed', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[2-9a-hjkmnp-tv-z]{5}-[2-9a-hjkmnp-tv-z]{5}$/);
  const key = SecretKey.random();
  const [code = ''] = codes;
  const hash = recoveryHash(key, 'a', code);
  assert.deepEqual(recoveryHash(key, 'a', ` ${code.toUpperCase().replace('-', ' ')}`), hash);
  assert.notDeepEqual(recoveryHash(key, 'b', code), hash);
  assert.notDeepEqual(recoveryHash(SecretKey.random(), 'a', code), hash);
});
