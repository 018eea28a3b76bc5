/** Where an export is cut, by pictures that are named by the order in which they are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutOf, type Cut, type Side, type TimedPicture } from './cut.ts';

interface Named extends TimedPicture {
  readonly shown: number;
}

/** `K0 P4 B2`: in the order of decoding; K and I begin a group, and I resets no decoder. They are shown two pictures later than they are decoded. */
const film = (text: string, from = 0): Named[] =>
  text.split(' ').map((word, index) => {
    const shown = Number(word.slice(1));
    const decodeTicks = (from + index) * 10;
    const resets = word.startsWith('K');
    const key = resets || word.startsWith('I');
    return { decodeTicks, shownTicks: shown * 10 + 20, key, resets, shown };
  });

const within =
  (from: number, until: number) =>
  ({ shown }: Named): Side =>
    shown < from ? 'before' : shown < until ? 'within' : 'after';

const shownOf = (pictures: readonly Named[] | undefined): number[] =>
  (pictures ?? []).map(({ shown }) => shown);

const read = ({ head, copied, tail }: Cut<Named>) => ({
  head: [shownOf(head?.decoded), shownOf(head?.shown)],
  copied: shownOf(copied),
  tail: [shownOf(tail?.decoded), shownOf(tail?.shown)],
});

const alone = { before: [], isContinued: false };
const none = [[], []];

test('a period from a key picture to another is copied', () => {
  const pictures = film('K0 P1 P2 K3 P4 P5 K6 P7');
  assert.deepEqual(read(cutOf(pictures, within(3, 6), alone)), {
    head: none,
    copied: [3, 4, 5],
    tail: none,
  });
});

test('pictures before the next key picture are encoded, and the rest copied', () => {
  const pictures = film('K0 P1 P2 P3 K4 P5 P6');
  assert.deepEqual(read(cutOf(pictures, within(2, 9), alone)), {
    head: [
      [0, 1, 2, 3],
      [2, 3],
    ],
    copied: [4, 5, 6],
    tail: none,
  });
});

test('the copied part begins with a key picture that resets decoders, where one comes', () => {
  const mixed = film('K0 P1 I2 P3 K4 P5');
  const { head, copied } = read(cutOf(mixed, within(1, 9), alone));
  assert.deepEqual(
    [head[1], copied],
    [
      [1, 2, 3],
      [4, 5],
    ],
  );
  assert.deepEqual(read(cutOf(mixed, within(2, 9), alone)).copied, [2, 3, 4, 5]);
  const never = film('K0 P1 I2 P3 I4 P5');
  const open = read(cutOf(never, within(1, 9), alone));
  assert.deepEqual([open.head[1], open.copied], [[1], [2, 3, 4, 5]]);
});

test('a period within one group is encoded', () => {
  const pictures = film('K0 P1 P2 P3 P4 K5');
  assert.deepEqual(read(cutOf(pictures, within(2, 4), alone)), {
    head: [
      [0, 1, 2, 3],
      [2, 3],
    ],
    copied: [],
    tail: none,
  });
});

test('pictures that refer to one after the end are encoded, and that one is not copied', () => {
  const pictures = film('K0 P3 B1 B2 P6 B4 B5 K9 B7 B8');
  assert.deepEqual(read(cutOf(pictures, within(0, 5), alone)), {
    head: none,
    copied: [0, 3, 1, 2],
    tail: [[0, 3, 1, 2, 6, 4], [4]],
  });
  assert.deepEqual(read(cutOf(pictures, within(0, 9), alone)), {
    head: none,
    copied: [0, 3, 1, 2, 6, 4, 5],
    tail: [
      [0, 3, 1, 2, 6, 4, 5, 9, 7, 8],
      [7, 8],
    ],
  });
});

test('nothing that is copied is shown after what is encoded behind it', () => {
  const pictures = film('K0 P4 P8 B2 B1 B3 B6 B5 B7');
  assert.deepEqual(read(cutOf(pictures, within(0, 6), alone)), {
    head: none,
    copied: [0],
    tail: [
      [0, 4, 8, 2, 1, 3, 6, 5],
      [4, 2, 1, 3, 5],
    ],
  });
});

test('the leading pictures of an open group are encoded with what they refer to', () => {
  const pictures = film('K0 P3 B1 B2 K6 B4 B5 P9 B7 B8');
  assert.deepEqual(read(cutOf(pictures, within(2, 20), alone)), {
    head: [
      [0, 3, 1, 2, 6, 4, 5],
      [3, 2, 4, 5],
    ],
    copied: [6, 9, 7, 8],
    tail: none,
  });
  assert.deepEqual(read(cutOf(pictures, within(6, 20), alone)).head, none);
});

test('a group that was encoded goes on in the next file, whose leading pictures refer to it', () => {
  const before = film('K0 P3 B1 B2');
  const pictures = film('K6 B4 B5 P9 B7 B8', 4);
  const encoded = cutOf(pictures, within(2, 20), { before, isContinued: false });
  assert.deepEqual(read(encoded), {
    head: [
      [0, 3, 1, 2, 6, 4, 5],
      [4, 5],
    ],
    copied: [6, 9, 7, 8],
    tail: none,
  });
  const continued = cutOf(pictures, within(0, 20), { before, isContinued: true });
  assert.deepEqual(read(continued), { head: none, copied: [6, 4, 5, 9, 7, 8], tail: none });
  const ending = cutOf(pictures, within(0, 5), { before, isContinued: true });
  assert.deepEqual(read(ending), { head: none, copied: [], tail: [[0, 3, 1, 2, 6, 4], [4]] });
});

test('leading pictures after a gap cannot be decoded and are left out', () => {
  const pictures = film('K6 B4 B5 P9 B7 B8', 4);
  const cut = cutOf(pictures, within(0, 20), alone);
  assert.deepEqual(read(cut), { head: none, copied: [6, 9, 7, 8], tail: none });
  assert.deepEqual(shownOf(cut.lost), [4, 5]);
});

test('nothing of a file is taken that lies outside the period', () => {
  const pictures = film('K0 P1 P2');
  for (const [from, until] of [
    [3, 9],
    [-5, 0],
  ] as const) {
    const cut = read(cutOf(pictures, within(from, until), alone));
    assert.deepEqual(cut, { head: none, copied: [], tail: none });
  }
});
