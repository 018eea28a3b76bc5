import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { attachment, fileNamePart } from './attachment.ts';

test('letters of any language stay in the name of a file, and nothing else does', () => {
  for (const [typed, part] of [
    ['Gate', 'Gate'],
    ['Main entrance', 'Main-entrance'],
    ['Вход', 'Вход'],
    ['Giriş qapısı', 'Giriş-qapısı'],
    ['Şəhər 2', 'Şəhər-2'],
    ['正门', '正门'],
    ['हिन्दी', 'हिन्दी'],
    ['A/B\\C "D" \'E\': <F>|?*', 'A-B-C-D-E-F'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a\r\nset-cookie: x=1', 'a-set-cookie-x-1'],
    ['gate\u202Egpj.exe', 'gate-gpj-exe'],
    ['\u2066\u200F\u0000\u001B[31m', '31m'],
    ['e\u0301', '\u00E9'],
    ['🚪', ''],
    ['...', ''],
  ] as const) {
    assert.equal(fileNamePart(typed), part, JSON.stringify(typed));
  }
});

test('a name that is long in bytes is cut between letters', () => {
  const part = fileNamePart('ə'.repeat(150));
  assert.equal(part, 'ə'.repeat(100));
  assert.equal(Buffer.byteLength(fileNamePart('𠮷'.repeat(150))), 200);
});

test('a browser gets the name as it is, and one in ASCII', () => {
  assert.equal(attachment('Gate-1.mp4'), 'attachment; filename="Gate-1.mp4"');
  assert.equal(
    attachment('Вход-1.mp4'),
    `attachment; filename="1.mp4"; filename*=UTF-8''%D0%92%D1%85%D0%BE%D0%B4-1.mp4`,
  );
  assert.equal(
    attachment('Şəhər-1.mp4'),
    `attachment; filename="Seher-1.mp4"; filename*=UTF-8''%C5%9E%C9%99h%C9%99r-1.mp4`,
  );
  assert.equal(
    attachment(`a'b(c)*".mp4`),
    `attachment; filename="a'b(c)*.mp4"; filename*=UTF-8''a%27b%28c%29%2A%22.mp4`,
  );
});

test('whatever a camera is called, the head is one line of ASCII that says it back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
      const name = `${fileNamePart(typed)}-1.mp4`;
      const head = attachment(name);
      const [, plain = '', starred] =
        /^attachment; filename="([ !#-[\]-~]*)"(?:; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+))?$/.exec(
          head,
        ) ?? [];
      assert.ok(plain.endsWith('1.mp4'), head);
      assert.equal(starred === undefined ? plain : decodeURIComponent(starred), name);
      assert.doesNotMatch(name, /[\p{C}\p{Z}/\\:*?"<>|]/u);
    }),
  );
});
