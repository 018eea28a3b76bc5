import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { contentsOf } from '#testing/film.ts';
import { demoFiles } from '#app/demo-files.ts';
import { makeDemo, sceneSeconds, scenes, shape } from './make-demo.ts';

const files = demoFiles();

test('the demo film is whole: every picture decodes, a key frame begins each second', async () => {
  await makeDemo();
  const { width, height, seconds, keys, numbers, inOrder } = await contentsOf(files.film);
  assert.deepEqual({ width, height, fps: numbers.length / seconds }, shape);
  assert.equal(seconds, scenes.length * sceneSeconds);
  assert.deepEqual(
    keys,
    Array.from({ length: seconds }, (_, second) => second * shape.fps),
  );
  assert.ok(inOrder, 'no B-frames');
  assert.ok(statSync(files.film).size < 10_000_000);
});

test('one person is enrolled and one is not, each with a scene', () => {
  const known = scenes.flatMap(({ person }) => person ?? []);
  assert.deepEqual(new Set(known), new Set([1, 2, 3]));
  assert.ok(scenes.length > known.length);
  assert.equal(files.photos.length, known.length);
  for (const photo of files.photos) {
    assert.equal(readFileSync(photo).subarray(0, 2).toString('hex'), 'ffd8');
  }
});

test('files that are there and whole are left alone', async () => {
  const madeAt = statSync(files.film).mtimeMs;
  assert.equal(await makeDemo(), false);
  assert.equal(statSync(files.film).mtimeMs, madeAt);
});
