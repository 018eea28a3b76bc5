import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import type { Role } from '@nazar/contract/accounts.ts';
import { Problem } from '#lib/problem.ts';
import { checkPassword } from './rules.ts';

function refusal(password: string, role: Role = 'user'): string | null {
  try {
    checkPassword(password, { role, email: 'leyla.example@example.org' });
    return null;
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.params['field'], 'password', 'told beside its field');
    return error.code;
  }
}

test('C-103, CFL-050 8 characters for users, 12 for administrators, 128 at most', () => {
  assert.equal(refusal('k7#mQ2x'), 'password_too_short');
  assert.equal(refusal('k7#mQ2x!'), null);
  for (const role of ['admin', 'superadmin'] as const) {
    assert.equal(refusal('k7#mQ2x!9ab', role), 'password_too_short_privileged');
    assert.equal(refusal('k7#mQ2x!9abc', role), null);
  }
  assert.equal(refusal('k7#mQ2x!', 'operator'), null);
  assert.equal(refusal(`${'ş'.repeat(120)}12345678`), null);
  assert.equal(refusal(`${'ş'.repeat(120)}123456789`), 'password_too_long');
});

test('C-103 characters are counted as people see them', () => {
  assert.equal(refusal('😀😀😀😀'), 'password_too_short', 'four, though eight code units');
  assert.equal(
    refusal('é'.normalize('NFD').repeat(4)),
    'password_too_short',
    'accents typed apart',
  );
});

test('C-103, CFL-050 very common passwords and one’s own address are refused, whatever their case', () => {
  const common = [
    'password',
    'PASSWORD',
    'Password1',
    '12345678',
    'qwertyuiop',
    'iloveyou',
    'sunshine',
  ];
  for (const password of common) assert.equal(refusal(password), 'password_common', password);
  assert.equal(refusal('Leyla.Example'), 'password_common');
  assert.equal(refusal('leyla.example@example.org'), 'password_common');
});

test('C-103 each of the 3,000 most used passwords that are long enough is refused, whatever its case', () => {
  const used = dictionary['passwords-common'].filter(({ length }) => length >= 8).slice(0, 3_000);
  assert.equal(used.length, 3_000);
  const taken = used.filter((password) => refusal(password) !== 'password_common');
  assert.deepEqual(taken, []);
  assert.equal(refusal(used.at(-1)!.toUpperCase()), 'password_common');
});

test('C-103 passwords of which only the last of 100 characters differs are both taken, as they are', () => {
  const [one, other] = [`${'ə'.repeat(99)}1`, `${'ə'.repeat(99)}2`];
  assert.deepEqual([refusal(one), refusal(other)], [null, null]);
});
