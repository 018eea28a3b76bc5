import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { detailsText, type Details } from './entry.ts';

const secrets = [
  'password',
  'newPassword',
  'access_token',
  'refreshToken',
  'Cookie',
  'authorization',
  'api_key',
  'apiKey',
  'client_secret',
  'code',
  'setup_code',
  'totp',
  'password_hash',
  'ticket',
];

test('C-120 details whose key looks like a secret are refused at any depth', () => {
  for (const key of secrets) {
    for (const details of [{ [key]: 'x' }, { a: [{ b: { [key]: 'x' } }] }] as Details[]) {
      assert.throws(() => detailsText(details), /secret/, key);
    }
  }
  assert.equal(detailsText({ fields: ['password', 'name'] }), '{"fields":["password","name"]}');
});

test('C-120 an address is recorded without the password in it, wherever it was typed', () => {
  const typed = 'rtsp://root:pass@192.168.1.9/s and http://a:b@c';
  assert.equal(
    detailsText({ name: typed }),
    '{"name":"rtsp://***@192.168.1.9/s and http://***@c"}',
  );
  assert.equal(detailsText({ url: 'rtsp://192.168.1.9/s' }), '{"url":"rtsp://192.168.1.9/s"}');
});

test('C-801 equal details are equal text, whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{3}s$/), fc.jsonValue()), (details) => {
      // Keys of nested values may look like secrets: only what passes is compared.
      const reversed = Object.fromEntries(Object.entries(details).toReversed()) as Details;
      const text = tryText(details as Details);
      fc.pre(text !== null);
      assert.equal(detailsText(reversed), text);
    }),
  );
});

test('C-120 characters that PostgreSQL cannot keep are taken out, and details have an end', () => {
  assert.equal(detailsText({ a: 'x\0y\ud800' }), '{"a":"xy\ufffd"}');
  assert.throws(() => detailsText({ a: 'x'.repeat(5_000) }), RangeError);
});

function tryText(details: Details): string | null {
  try {
    return detailsText(details);
  } catch {
    return null;
  }
}
