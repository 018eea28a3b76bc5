import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import sharp from 'sharp';
import { listPhotos, readPhoto, thumbnailSets } from './photos.ts';

const folder = mkdtempSync(join(tmpdir(), 'nazar-bench-photos-'));
test.after(() => rmSync(folder, { recursive: true }));

const grey = sharp({ create: { width: 4, height: 2, channels: 3, background: '#808080' } });
for (const [path, bytes] of [
  ['b/ada/1.png', await grey.clone().toColourspace('b-w').png().toBuffer()],
  ['a/bob/2.jpg', await grey.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer()],
  ['a/bob/.hidden', Buffer.alloc(1)],
  ['labels.csv', Buffer.from('set,identity')],
  ['a/notes.txt', Buffer.from('nothing')],
  ['a/bob/broken.jpg', Buffer.from([0xff, 0xd8, 0xff, 0])],
] as const) {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

test('photos are what lies in <set>/<identity>/, and nothing else is needed', () => {
  const names = listPhotos(folder).map(({ identity, path }) => [identity, basename(path)]);
  assert.deepEqual(names, [
    ['a/bob', '2.jpg'],
    ['a/bob', 'broken.jpg'],
    ['b/ada', '1.png'],
  ]);
  assert.deepEqual(
    listPhotos(folder, ['b']).map(({ set }) => set),
    ['b'],
  );
  assert.throws(() => listPhotos(folder, ['b', 'nowhere']), /nowhere/);
});

test('photos are read upright and in three colours, or throw', async () => {
  const [turned, broken, single] = listPhotos(folder);
  const upright = await readPhoto(turned!);
  assert.deepEqual([upright.width, upright.height], [2, 4]);
  assert.equal((await readPhoto(single!)).rgb.length, 4 * 2 * 3);
  await assert.rejects(readPhoto(broken!));
});

test('a set is one of thumbnails when most of its photos are', () => {
  const sizes = [10, 20, 500].map((shorterPx) => ({ set: 'small', shorterPx }));
  const others = [10, 64, 500].map((shorterPx) => ({ set: 'mixed', shorterPx }));
  assert.deepEqual(thumbnailSets([...sizes, ...others]), ['small']);
});
