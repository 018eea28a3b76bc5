import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Problem } from '#lib/problem.ts';
import { ipAddressOf, splitAddress } from './address.ts';
import { endpoint } from './endpoint.ts';

test('C-506 nothing but http(s), rtsp(s) and video devices is an address', () => {
  const refused: [string, string][] = [
    ...[
      'file:///etc/passwd',
      'ftp://192.168.1.9/s',
      'gopher://192.168.1.9/',
      'concat:/etc/passwd|/etc/hosts',
      'subfile,,start,0,end,100,,:/etc/passwd',
      'data:text/plain,hello',
      'demo:people',
      'javascript:alert(1)',
      'rtmp://192.168.1.9/s',
      'rtp://239.0.0.1:5004',
      'unix:/run/x.sock',
      '/etc/passwd',
      '//192.168.1.9/s',
      '192.168.1.9',
      'rtsp:192.168.1.9',
      'rtsp:///s',
      'rtsp://',
      'http://',
      'rtsp://exa mple/s',
      '/dev/video0',
      '-i /etc/passwd',
    ].map((url): [string, string] => [url, 'rtsp']),
    ...[
      '/dev/video',
      '/dev/video0000',
      '/dev/video0/../sda',
      '/dev/sda',
      'rtsp://h/',
      '/dev/video0 ',
    ].map((url): [string, string] => [url, 'usb']),
  ];
  for (const [url, type] of refused) {
    const isRefused = (error: unknown): boolean =>
      error instanceof Problem &&
      error.code === 'camera_url_refused' &&
      error.params['field'] === 'url';
    assert.throws(() => splitAddress(url, type), isRefused, url);
  }
  assert.equal(splitAddress('/dev/video12', 'usb').url, '/dev/video12');
  assert.equal(splitAddress('', 'rtsp').url, '');
});

test('C-506 whatever is typed, what is kept is an address of ours or nothing', () => {
  const schemes = fc.constantFrom(
    'rtsp://',
    'http://',
    'https:',
    'rtsps:\\\\',
    'file://',
    '',
    'RTSP://',
  );
  const typed = fc.tuple(schemes, fc.string(), fc.webPath()).map((parts) => parts.join(''));
  fc.assert(
    fc.property(typed, fc.constantFrom('ip', 'rtsp', 'http', 'usb'), (text, type) => {
      let kept;
      try {
        kept = splitAddress(text, type).url;
      } catch (error) {
        assert.ok(error instanceof Problem);
        return;
      }
      assert.match(kept, /^$|^(https?|rtsps?):\/\/[^/?#@]+([/?#]|$)|^\/dev\/video\d+$/);
    }),
    { numRuns: 500 },
  );
});

test('H-7 user and password are split off and decoded, whatever they are made of', () => {
  const secret = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(secret, secret, (user, password) => {
      // What no URL can carry: halves of characters.
      fc.pre(user.isWellFormed() && password.isWellFormed());
      const [name, word] = [encodeURIComponent(user), encodeURIComponent(password)];
      const split = splitAddress(`rtsp://${name}:${word}@192.168.1.9:554/s?x=1`, 'rtsp');
      assert.deepEqual(split, { url: 'rtsp://192.168.1.9:554/s?x=1', username: user, password });
    }),
  );
  assert.equal(splitAddress('http://a%zz:b%@192.168.1.9/', 'http').username, 'a%zz');
});

test('C-603 scheme, host and port make the place; path and query do not', () => {
  const place = endpoint('rtsp://192.168.1.9:554/one?x=1');
  assert.equal(place, endpoint('rtsp://192.168.1.9:554/two'));
  for (const other of [
    'rtsps://192.168.1.9:554/one',
    'rtsp://192.168.1.8:554/one',
    'rtsp://192.168.1.9:8554/one',
  ]) {
    assert.notEqual(place, endpoint(other), other);
  }
});

test('ENT-003 the IP address is that of the stream where none was typed, and follows it', () => {
  const [main, other] = ['rtsp://192.168.1.20:554/s', 'rtsp://192.168.1.30/s'];
  assert.equal(ipAddressOf('', main), '192.168.1.20');
  assert.equal(ipAddressOf('', 'http://[fd00::7]:8080/s'), 'fd00::7');
  assert.equal(ipAddressOf('192.168.1.9', main), '192.168.1.9');
  for (const url of ['', 'rtsp://camera.local/s', '/dev/video0', 'demo:people']) {
    assert.equal(ipAddressOf('', url), '', url);
  }
  const derived = { ip_address: '192.168.1.20', url: main };
  assert.equal(ipAddressOf('192.168.1.20', other, derived), '192.168.1.30');
  assert.equal(ipAddressOf('192.168.1.20', 'rtsp://camera.local/s', derived), '');
  assert.equal(ipAddressOf('192.168.1.9', other, derived), '192.168.1.9');
  const typed = { ip_address: '192.168.1.9', url: main };
  assert.equal(ipAddressOf('192.168.1.9', other, typed), '192.168.1.9');
});
