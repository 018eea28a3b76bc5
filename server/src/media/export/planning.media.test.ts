/** What an export needs from its files while a part of it is encoded anew. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { recorded, shape, start } from '#testing/exported-films.ts';
import { RecordedFiles, type ByteRange } from './source-files.ts';
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
    override async again(file: string, range: ByteRange) {
      again.push(file);
      await all.promise;
      return super.again(file, range);
    }
  }
  assert.deepEqual(await writeExport(range, it.sources, new Watched()), usual);
  const files = it.sources.map(({ file }) => file);
  assert.deepEqual(first, files);
  const readOf = (file: string): number => again.filter((one) => one === file).length;
  assert.deepEqual([...new Set(again)], files);
  assert.ok(readOf(files[0]!) > 1, 'read once more to encode the beginning');
  assert.deepEqual(files.slice(1).map(readOf), Array(files.length - 1).fill(1));
});

test('a file is read in pieces of any size, as one larger than memory has to be', async () => {
  using it = await recorded([{ codec: 'h264', bFrames: 2, shape: shape(15, { gop: 50 }) }]);
  const range = { target: it.target, fromMs: start + 1_000, untilMs: start + 14_000 };
  const usual = await writeExport(range, it.sources);
  assert.ok(usual.fault === null && usual.encoded.length > 0);
  const bytes = readFileSync(it.target);
  for (const pieceBytes of [7, 1_000, 65_536]) {
    rmSync(it.target);
    let most = 0;
    class Watched extends RecordedFiles {
      override async *pieces(source: (typeof it.sources)[number]) {
        for await (const piece of super.pieces(source)) {
          most = Math.max(most, piece.length);
          yield piece;
        }
      }
    }
    const files = new Watched({ pieceBytes });
    assert.deepEqual(await writeExport(range, it.sources, files), usual);
    assert.ok(readFileSync(it.target).equals(bytes));
    assert.equal(most, pieceBytes);
  }
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
