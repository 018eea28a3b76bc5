import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence, type Source, type Values } from './sentence.ts';

const words = {
  group: {
    named: 'Deleted {{name}} in {{room}}, {{name}}',
    visits_one: '{{count}} visit',
    visits_few: '{{count}} few',
    visits_many: '{{count}} many',
    visits_other: '{{count}} visits',
    'cameras:read': 'View cameras',
  },
  plain: '{{count}} pages',
  fault: { no_face: 'No face in {{name}}' },
  refused: '$t(fault.{{fault}})',
  quoted: '{{name}}',
};
const source = (language: string, shown: Source['shown'] = String): Source => ({
  language,
  words,
  shown,
});
const inEnglish = (key: string, values?: Values) => sentence(source('en'), key, values);

test('each value stands wherever its name does, as it is, and a missing one leaves nothing', () => {
  const values = { name: '$& {{room}}', room: 'Hall' };
  assert.equal(inEnglish('group.named', values), 'Deleted $& {{room}} in Hall, $& {{room}}');
  assert.equal(inEnglish('group.named', { name: 'Gate', room: null }), 'Deleted Gate in , Gate');
  assert.equal(inEnglish('group.named'), 'Deleted  in , ');
});

test('a sentence may stand for another one, which a value chooses; values themselves are no sentences', () => {
  assert.equal(inEnglish('refused', { fault: 'no_face', name: 'a.png' }), 'No face in a.png');
  assert.equal(inEnglish('refused', { fault: 'group.named' }), undefined);
  assert.equal(inEnglish('refused', { fault: 'no.face', name: 'a.png' }), undefined);
  assert.equal(inEnglish('quoted', { name: '$t(fault.no_face)' }), '$t(fault.no_face)');
});

test('a count picks the plural form of the language, and the plain sentence where there is none', () => {
  const forms = (language: string) =>
    [1, 2, 5, 1.5].map((count) => sentence(source(language), 'group.visits', { count }));
  assert.deepEqual(forms('en'), ['1 visit', '2 visits', '5 visits', '1.5 visits']);
  assert.deepEqual(forms('ru'), ['1 visit', '2 few', '5 many', '1.5 visits']);
  assert.equal(inEnglish('plain', { count: 1 }), '1 pages');
  // Text is no count: its sentence has no plural forms.
  assert.equal(inEnglish('group.visits', { count: '1' }), undefined);
});

test('a reader of sentences decides how values stand in them, by their names', () => {
  const shown = (value: string | number, name: string): string => `[${name} ${value}]`;
  assert.equal(sentence(source('en', shown), 'plain', { count: 3 }), '[count 3] pages');
});

test('a key of a group, of nothing, or before words are there has no sentence', () => {
  const missing = ['group', 'group.gone', 'group.named.more', 'gone.named'].map((key) =>
    inEnglish(key),
  );
  assert.deepEqual(missing, [undefined, undefined, undefined, undefined]);
  assert.equal(sentence({ ...source('en'), words: undefined }, 'plain'), undefined);
  assert.equal(inEnglish('group.cameras:read'), 'View cameras');
});
