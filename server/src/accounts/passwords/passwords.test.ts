import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#lib/problem.ts';
import { Passwords } from './passwords.ts';

test('C-102 a hash is a PHC string of Argon2id, new each time, and says when it is too weak', async () => {
  const passwords = new Passwords();
  const [first, second] = [
    await passwords.hash('a fine secret'),
    await passwords.hash('a fine secret'),
  ];
  const [, name, version, parameters, nonce = '', tag = ''] = first.split('$');
  assert.deepEqual([name, version, parameters], ['argon2id', 'v=19', 'm=19456,t=2,p=1']);
  assert.equal(Buffer.from(nonce, 'base64').length, 16);
  assert.equal(Buffer.from(tag, 'base64').length, 32);
  assert.notEqual(first, second);
  assert.equal(passwords.isOutdated(first), false);
  assert.equal(passwords.isOutdated(first.replace('m=19456', 'm=4096')), true);
  assert.equal(passwords.isOutdated('plain'), true);
});

test('C-103 every character counts, and an accent is one however it was typed', async () => {
  const passwords = new Passwords();
  const long = 'ə'.repeat(127);
  const phc = await passwords.hash(`${long}a`);
  assert.equal(await passwords.verify(`${long}a`, phc), true);
  assert.equal(await passwords.verify(`${long}b`, phc), false);
  assert.equal(await passwords.verify(long, phc), false);
  const accented = await passwords.hash('gözəl-şəhər'.normalize('NFC'));
  assert.equal(await passwords.verify('gözəl-şəhər'.normalize('NFD'), accented), true);
});

test('C-108 without an account, and with a broken hash, the same work ends in no', async () => {
  const passwords = new Passwords();
  for (const phc of [null, '', '$argon2id$v=19$m=8,t=1,p=1$$', 'plain text']) {
    assert.equal(await passwords.verify('anything', phc), false);
  }
});

test('C-107 beyond two at work and 32 waiting the next is asked to come back, and no one is lost', async () => {
  const passwords = new Passwords();
  const asked = Array.from({ length: 40 }, () => passwords.hash('one of many'));
  const settled = await Promise.allSettled(asked);
  const refused = settled.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 6);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    assert.ok(reason instanceof Problem && reason.code === 'too_many_requests');
    assert.ok(Number(reason.params['retry_after_s']) > 0);
  }
  assert.match(await passwords.hash('after the rush'), /^\$argon2id/);
});

test('R-20 a known client does not wait behind a flood of strangers', async () => {
  const passwords = new Passwords();
  const done: string[] = [];
  const verify = (who: string, isKnown: boolean): Promise<unknown> =>
    passwords.verify('anything', null, { isKnown }).then(() => done.push(who));
  const strangers = Array.from({ length: 20 }, () => verify('stranger', false));
  await verify('known', true);
  await Promise.all(strangers);
  // Two run at once and the machine may favour one of them; at the end of the queue it would be the 20th.
  assert.ok(done.indexOf('known') <= 12, done.join());
  assert.equal(done.length, 21);
});
