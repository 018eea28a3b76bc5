import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { paint } from '@nazar/e2e/farm/film.ts';
import { contentsOf } from '#testing/film.ts';
import { writeFilm } from './film.ts';

const shape = { width: 320, height: 184, fps: 10 };
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-film-'));
});
after(() => rmSync(folder, { recursive: true }));

/** Pictures that bear their number. */
function* numbered(count: number): Generator<Buffer> {
  for (let i = 0; i < count; i++) yield paint({ ...shape, pictures: count, gop: shape.fps }, i);
}

test('a written film has every picture, in order, and a key frame each second', async () => {
  const path = join(folder, 'film.mp4');
  await writeFilm(path, shape, numbered(25));
  const film = await contentsOf(path);
  assert.deepEqual(
    film.numbers,
    Array.from({ length: 25 }, (_, i) => i),
  );
  assert.deepEqual(film.keys, [0, 10, 20]);
  assert.deepEqual([film.width, film.height, film.seconds], [320, 184, 2.5]);
  assert.ok(film.inOrder, 'pictures are shown in the order they are sent: no B-frames');
});

test('a film whose pictures fail leaves no file', async () => {
  const path = join(folder, 'broken.mp4');
  function* failing(): Generator<Buffer> {
    yield* numbered(3);
    throw new Error('no more pictures');
  }
  await assert.rejects(writeFilm(path, shape, failing()), /no more pictures/);
  assert.equal(existsSync(path), false);
});
