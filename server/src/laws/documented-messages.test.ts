/** docs/design/pipeline.md names exactly the messages that processes exchange, as their declarations have them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { src } from '#testing/imports.ts';

const read = (file: string): string => readFileSync(join(src, file), 'utf8');

/** The kinds that a text declares, between two places of it. */
function kindsIn(text: string, from = '', until = ''): string[] {
  const start = text.indexOf(from);
  const end = until === '' ? text.length : text.indexOf(until, start);
  const kinds = text.slice(start, end).matchAll(/\bkind: '(\w+)'/g);
  return [...new Set([...kinds].map(([, kind = '']) => kind))];
}

const media = read('media/protocol/messages.ts');
const declared = {
  'server to media host': [
    ...kindsIn(media, 'export type ToHost', 'export interface MainStreamRequest'),
    ...kindsIn(media, 'export type AskHost', 'export interface HostState'),
  ],
  'media host to server': kindsIn(media, 'export interface LiveInit'),
  'to vision host': kindsIn(read('vision/messages.ts')),
  'server to media worker': kindsIn(read('media/protocol/worker-messages.ts')),
  'server to image host': kindsIn(read('vision/uploads/image-messages.ts')),
  'server to chip host': kindsIn(read('vision/chip-messages.ts')),
};

/** The names in code quotes of the rows that are about these processes. */
function documentedIn(page: string, between: string): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith('|') && line.includes(between));
  return rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, kind = '']) => kind));
}

test('pipeline.md names each message between processes, and no other', () => {
  const page = readFileSync(join(src, '../../docs/design/pipeline.md'), 'utf8');
  for (const [between, kinds] of Object.entries(declared)) {
    assert.ok(kinds.length > 0, between);
    assert.deepEqual(documentedIn(page, between).toSorted(), kinds.toSorted(), between);
  }
});

test('the law of the messages sees a message that is missing', () => {
  const page = '| server to image host | | `clean` |\n| server to chip host | `told` | `embed` |';
  assert.deepEqual(documentedIn(page, 'server to image host'), ['clean']);
  assert.deepEqual(documentedIn(page, 'server to chip host'), ['told', 'embed']);
  assert.deepEqual(kindsIn("kind: 'a' }\nend\n kind: 'b'", '', 'end'), ['a']);
});
