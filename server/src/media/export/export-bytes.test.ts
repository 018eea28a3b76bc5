import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf, writtenOf, type ExportBytes } from './export-bytes.ts';

const file = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
const bytesOf = (piece: ExportBytes): Buffer =>
  Buffer.isBuffer(piece) ? piece : file.subarray(piece[0], piece[0] + piece[1]);

/** Ranges apart, next to each other, out of order and larger than a part; what was encoded at both ends and between. */
const pieces: readonly ExportBytes[] = [
  Buffer.from('first'),
  [10, 5],
  [15, 1],
  [4, 3],
  [40, 100],
  [150, 8],
  Buffer.from('between'),
  Buffer.from('again'),
  [160, 2],
  [200, 56],
  Buffer.from('last'),
];

test('parts of any size hold all pieces in order, and read no more of the file than that', () => {
  for (let mostBytes = 1; mostBytes <= 300; mostBytes++) {
    const parts = [...partsOf({ file: 'a.mp4', pieces }, mostBytes)];
    assert.deepEqual(
      parts.flatMap((part) => part.pieces),
      pieces,
    );
    const written = parts.flatMap((part) => {
      const { offset, bytes } = part.range ?? { offset: 0, bytes: 0 };
      const ranges = part.pieces.filter((piece) => !Buffer.isBuffer(piece));
      assert.ok(bytes <= mostBytes || ranges.length === 1, `${bytes} bytes of ${mostBytes}`);
      assert.equal(part.range === null, ranges.length === 0);
      return writtenOf(part, file.subarray(offset, offset + bytes));
    });
    assert.ok(Buffer.concat(written).equals(Buffer.concat(pieces.map(bytesOf))));
  }
});

test('no part has more pieces than the operating system takes at once', () => {
  const many = Array.from({ length: 2_500 }, (_, at): ExportBytes => [at % 200, 1]);
  const parts = [...partsOf({ file: 'a.mp4', pieces: many })];
  assert.deepEqual(
    parts.map((part) => part.pieces.length),
    [1_000, 1_000, 500],
  );
});
