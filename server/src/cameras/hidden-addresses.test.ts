import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#lib/problem.ts';
import { filledIn, hidden, unhidden } from './hidden-addresses.ts';
import { readOlder } from './older-addresses.ts';

const secret = 'Canary4711Canary';
const nowhere = { url: '', sub_url: '', device_url: '' };
const whole = {
  url: `rtsp://10.0.0.5/user=a&password=${secret}&channel=1`,
  sub_url: 'rtsp://10.0.0.5/small',
  device_url: `http://10.0.0.5/onvif?token=${secret}2`,
};

test('C-601 addresses are kept without what is secret in them, and are whole again with it', () => {
  const { shown, secrets } = hidden(whole);
  assert.ok(!JSON.stringify(shown).includes(secret) && secrets?.includes(secret));
  assert.deepEqual(unhidden(shown, secrets), whole);
  assert.equal(unhidden(shown, null), null);
  assert.deepEqual(hidden(nowhere), { shown: nowhere, secrets: null });
});

test('C-603 a mask is the secret of before at the same host and port, and the password in a new address', () => {
  const { shown } = hidden(whole);
  assert.deepEqual(filledIn(shown, whole, ''), whole);
  const moved = { ...nowhere, url: shown.url.replace('10.0.0.5', '10.0.0.6') };
  const isMasked = (error: unknown): boolean =>
    error instanceof Problem &&
    error.code === 'camera_url_masked' &&
    error.params['field'] === 'url';
  assert.throws(() => filledIn(moved, whole, ''), isMasked);
  assert.throws(() => filledIn(moved, null, ''), isMasked);
  assert.equal(
    filledIn(moved, whole, 'a/b').url,
    'rtsp://10.0.0.6/user=a&password=a%2Fb&channel=1',
  );
  const edited = { ...nowhere, url: shown.url.replace('channel=1', 'channel=2') };
  assert.equal(
    filledIn(edited, whole, 'typed').url,
    whole.url.replace('channel=1', 'channel=2'),
    'the one that is kept goes before the one that is typed',
  );
});

test('H-7 a user name and password of an address of before go to their fields; a path with an @ stays one', () => {
  const moved = (url: string, hasUser = false) => {
    const read = readOlder(url, hasUser);
    return [read.url, read.username, read.password];
  };
  assert.deepEqual(moved('rtsp://admin:1234/ab@camera/'), ['rtsp://camera/', 'admin', '1234/ab']);
  assert.deepEqual(moved('rtsp://admin:1234/a%20b@10.0.0.5:554/s?x=1'), [
    'rtsp://10.0.0.5:554/s?x=1',
    'admin',
    '1234/a b',
  ]);
  assert.deepEqual(moved('rtsp://admin:12#34@cam.example.org/s'), [
    'rtsp://cam.example.org/s',
    'admin',
    '12#34',
  ]);
  // A parser left out the port of http before it was stored.
  assert.deepEqual(moved('http://admin/ab@10.0.0.5/'), ['http://10.0.0.5/', 'admin', 'ab']);
  assert.deepEqual(moved('rtsp://john.doe:1/a@10.0.0.5/'), ['rtsp://10.0.0.5/', 'john.doe', '1/a']);
  for (const url of [
    'http://10.0.0.5/feed@2x.jpg',
    'http://cam.example.org/feed@2x.jpg',
    'http://[fd00::5]/a@b',
    'http://localhost:81/a@b',
  ]) {
    assert.deepEqual(moved(url), [url.replace('@', '%40'), null, null], url);
  }
  const inField = moved('http://camera/a@b', true);
  assert.deepEqual(inField, ['http://camera/a%40b', null, null]);
  assert.deepEqual(moved('rtsp://camera/s'), ['rtsp://camera/s', null, null]);
});
