import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod/mini';
import { optionalName, requiredName, searchText } from '@nazar/contract/fields.ts';
import { describeIssue } from '@nazar/contract/issue.ts';
import { asName } from './names.ts';

const name = requiredName(20);

test('a name is composed, and so is what is searched for', () => {
  for (const schema of [name, optionalName(20), searchText(20)]) {
    assert.equal(z.parse(schema, ' Gülşən '.normalize('NFD')), 'Gülşən');
  }
  assert.equal(z.parse(name, 'é'.normalize('NFD').repeat(20)), 'é'.repeat(20), 'counted composed');
});

const good = {
  Persian: 'می\u200cخواهم',
  Sinhala: 'ශ්\u200dරී',
  family: '👩\u200d❤\ufe0f\u200d👩',
  Wales: '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
  'Han with a form': '葛\u{e0100}城',
  key: '1\ufe0f\u20e3',
  Hebrew: 'דוד לוי',
  'with a skin tone': '👍🏽 Yard',
};
const bad = {
  override: 'gnp.\u202egpj',
  isolate: '\u2066admin',
  mark: 'Anna\u200f',
  'zero width': 'An\u200bna',
  'byte order mark': 'An\ufeffna',
  'word joiner': 'An\u2060na',
  'soft hyphen': 'An\u00adna',
  'joiner at the end': 'Anna\u200d',
  'joiner at the start': '\u200cAnna',
  'two joiners': 'An\u200d\u200cna',
  'selector behind a letter': 'A\ufe0fnna',
  tag: 'Anna\u{e0041}',
  'line break': 'An\nna',
  escape: '\u001b[2JAnna',
  'empty to the eye': '\u3164',
};

test('joiners stay where they shape letters and emoji', () => {
  for (const [what, text] of Object.entries(good)) {
    assert.equal(z.parse(name, text), text.normalize('NFC'), what);
    assert.equal(asName(text, 20), text.normalize('NFC'), what);
  }
});

test('letters that show nothing or turn text round are refused by a sentence, and left out of what others wrote', () => {
  for (const [what, text] of Object.entries(bad)) {
    for (const schema of [name, optionalName(20)]) {
      const { error } = z.safeParse(schema, text);
      assert.ok(error, what);
      assert.equal(describeIssue(error.issues[0]!, text).fault, 'characters', what);
    }
    const kept = asName(text, 20);
    assert.ok(kept === '' || z.safeParse(name, kept).success, what);
  }
});
