/** What an export needs from its files while a part of it is encoded anew. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { recorded, shape, start } from '#testing/exported-films.ts';
import { RecordedFiles } from './source-files.ts';
import { writeExport } from './write-export.ts';

test('all files are read and hashed while the first pictures are encoded, and none is kept', async () => {
  using it = await recorded([{ codec: 'h264', bFrames: 0, shape: shape(45, { gop: 125 }) }]);
  assert.ok(it.sources.length >= 4);
  const range = { target: it.target, fromMs: start + 2_000, untilMs: start + 44_000 };
  const usual = await writeExport(range, it.sources);
  assert.ok(usual.fault === null && usual.encoded.length > 0);
  rmSync(it.target);

  const all = Promise.withResolvers<void>();
  const [first, again]: [string[], string[]] = [[], []];
  class Watched extends RecordedFiles {
    override async first(source: (typeof it.sources)[number]) {
      const planned = await super.first(source);
      first.push(source.file);
      if (first.length === it.sources.length) all.resolve();
      return planned;
    }

    /** What is encoded waits here for its bytes. */
    override async again(file: string) {
      again.push(file);
      await all.promise;
      return super.again(file);
    }
  }
  assert.deepEqual(await writeExport(range, it.sources, new Watched()), usual);
  const files = it.sources.map(({ file }) => file);
  assert.deepEqual(first, files);
  assert.deepEqual(again, [files[0], ...files], 'read once more to encode the beginning');
});

test('a film of two codings fails as soon as that is known, and reads no file after its end', async () => {
  using it = await recorded([
    { codec: 'h264', bFrames: 0, shape: shape(4) },
    { codec: 'hevc', bFrames: 0, shape: shape(4), afterSeconds: 1 },
    { codec: 'hevc', bFrames: 0, shape: shape(34), afterSeconds: 1 },
  ]);
  let reads = 0;
  let isOver = false;
  class Watched extends RecordedFiles {
    override async first(source: (typeof it.sources)[number]) {
      assert.equal(isOver, false);
      reads += 1;
      return super.first(source);
    }
  }
  const range = { target: it.target, fromMs: start, untilMs: start + 60_000 };
  const made = await writeExport(range, it.sources, new Watched());
  isOver = true;
  assert.deepEqual(made, { fault: 'codec_changed' });
  assert.ok(reads < it.sources.length, `${reads} of ${it.sources.length}`);
});
