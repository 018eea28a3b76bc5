/** Passwords of every form in an address: read as they are meant, or refused, and never taken for a host or a path. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  isMasked,
  maskedAddress,
  secretOfKey,
  secretsIn,
  unmaskedAddress,
} from '@nazar/contract/address-secrets.ts';
import { isAddressFault, readAddress } from '@nazar/contract/camera-address.ts';
import { withoutSignIns } from '@nazar/contract/address-text.ts';
import { encoded, passwordForms } from '#testing/passwords.ts';

const word = 'Canary4711Canary';
const forms = passwordForms(word);
const schemes = ['rtsp', 'rtsps', 'http', 'https'];

test('C-603 40 forms of a password are each read as they are when encoded', () => {
  assert.ok(forms.length >= 40, String(forms.length));
  for (const scheme of schemes) {
    for (const password of forms) {
      const read = readAddress(`${scheme}://ad/min@x:${encoded(password)}@192.168.1.9:554/s?a=1`);
      const user = readAddress(
        `${scheme}://${encoded('ad/min@x')}:${encoded(password)}@192.168.1.9:554/s?a=1`,
      );
      const whole = { url: `${scheme}://192.168.1.9:554/s?a=1`, username: 'ad/min@x', password };
      assert.deepEqual(user, whole);
      assert.ok(read === 'special_characters', 'a user name with a slash may be a host');
    }
  }
});

test('H-7, C-603 typed as it is, a password is read as it is or refused; no piece of it is a host, a path or a query', () => {
  let readCount = 0;
  for (const scheme of schemes) {
    for (const password of forms) {
      for (const user of ['admin', 'a@b', 'ad/min', 'ə']) {
        const read = readAddress(`${scheme}://${user}:${password}@192.168.1.9:554/s?a=1`);
        if (isAddressFault(read)) {
          assert.equal(read, 'special_characters', password);
          continue;
        }
        readCount += 1;
        assert.equal(read.url, `${scheme}://192.168.1.9:554/s?a=1`, password);
        assert.equal(read.username, user);
        // What is percent-encoded is read so.
        assert.equal(read.password, password.replace('%41', 'A'));
      }
    }
  }
  assert.ok(readCount > 300, String(readCount));
});

const part = fc.string({ unit: fc.constantFrom(...Array.from('a1/@:#?%\\ []&=')), maxLength: 8 });

test('H-7 whatever is before the last @, no address that is read holds any of it', () => {
  const start = fc.constantFrom(...schemes);
  fc.assert(
    fc.property(start, part, part, part, (scheme, user, password, path) => {
      const rest = `${user}:${word}${password}@192.168.1.9/${path}`;
      const read = readAddress(`${scheme}://${rest}`);
      if (isAddressFault(read)) return;
      assert.ok(!read.url.includes(word) && !read.url.includes('@'), read.url);
      assert.ok(read.password?.includes(word) ?? false, rest);
      assert.equal(new URL(read.url).hostname, '192.168.1.9');
    }),
    { numRuns: 3_000 },
  );
});

test('an @ in a path is refused, because it may end a password, and taken where it is encoded', () => {
  const unclear = [
    'rtsp://admin:1234/ab@camera/',
    'http://192.168.1.9/feed@2x.jpg',
    'rtsp://viewer:secret@192.168.1.9/feed@2x.jpg',
    'rtsp://192.168.1.9:554/user=a&password=b@c',
    'rtsp://admin%3Asecret%40192.168.1.9/',
  ];
  for (const url of unclear) assert.equal(readAddress(url), 'special_characters', url);
  for (const url of ['rtsp://', 'rtsp:///s', 'gopher://a@b/', 'rtsp://a\nb/', 'http://a%00b:c@d/'])
    assert.equal(readAddress(url), 'refused', url);
  assert.deepEqual(readAddress(' http://192.168.1.9/feed%402x.jpg '), {
    url: 'http://192.168.1.9/feed%402x.jpg',
    username: null,
    password: null,
  });
});

const inPaths = (secret: string): string[] => [
  `rtsp://10.0.0.5:554/user=admin&password=${secret}&channel=1&stream=0.sdp?real_stream`,
  `rtsp://10.0.0.5:554/user=admin_password=${secret}_channel=1_stream=0.sdp`,
  `http://10.0.0.5/videostream.cgi?loginuse=admin&loginpas=${secret}&rate=0`,
  `http://10.0.0.5/mjpeg?user=admin&pwd=${secret}`,
  `http://10.0.0.5/mjpeg?u=admin&p=${secret}`,
  `http://10.0.0.5/flv?port=1935&app=bcs&user=u&password=${secret}`,
  `rtsp://10.0.0.5/cam/realmonitor?channel=1&authbasic=${secret}&subtype=0`,
  `rtsp://10.0.0.5/0/admin:${secret}/main`,
  `http://10.0.0.5:1984/api/stream.mjpeg?src=${encoded(`rtsp://admin:${secret}@10.0.0.6/`)}`,
  `http://10.0.0.5/x?access_token=${secret}#t`,
];

test('C-602 a secret in a path or a query is masked, and put back for the camera alone', () => {
  for (const password of forms) {
    for (const url of inPaths(encoded(password))) {
      const shown = maskedAddress(url);
      assert.ok(!shown.includes(word) && isMasked(shown), shown);
      assert.equal(maskedAddress(shown), shown);
      assert.equal(unmaskedAddress(shown, secretOfKey(secretsIn(url))), url);
      assert.equal(
        unmaskedAddress(shown, () => undefined),
        null,
      );
    }
  }
  for (const plain of [
    'rtsp://10.0.0.5:554/Streaming/Channels/101?transport=tcp',
    '',
    'demo:people',
  ])
    assert.deepEqual([maskedAddress(plain), isMasked(plain)], [plain, false]);
});

test('C-604 no address in a text keeps a password, whatever is around it', () => {
  for (const password of forms) {
    for (const text of [
      `Failed to parse URL from rtsp://admin:${password}@192.168.1.9/s now`,
      `TypeError: "http://a@b:${password}@192.168.1.9:80/x" is no address`,
      `(postgres://nazar:${password}@db/nazar)`,
      `at https://nazar.example.org/assets/app.js:1:2 rtsp://admin:${password}@192.168.1.9/`,
      ...inPaths(encoded(password)).map((url) => `could not read ${url}, tried again`),
    ]) {
      assert.ok(!withoutSignIns(text).includes(word), `${text}\n${withoutSignIns(text)}`);
    }
  }
  const stack = 'draw@https://nazar.example.org/assets/app.js:10:42\nat go (file:///a/b@2.ts:1:2)';
  assert.equal(withoutSignIns(stack), stack);
  const plain = 'GET https://nazar.example.org/x failed for anna@example.org';
  assert.equal(withoutSignIns(plain), plain);
});
