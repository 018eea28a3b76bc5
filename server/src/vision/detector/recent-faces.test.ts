import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Detection } from './detection.ts';
import { RecentFaces } from './recent-faces.ts';

const at = (x: number, doubtful = false): Detection => ({
  box: { x, y: 100, width: 40, height: 40 },
  score: 0.999,
  points: null,
  doubtful,
});
const doubts = (recent: RecentFaces, ...found: Detection[]): boolean[] =>
  recent.doubtingNew(found).map(({ doubtful }) => doubtful);

/** A face was at 100 in the picture before. */
function afterFace(): RecentFaces {
  const recent = new RecentFaces();
  recent.doubtingNew([at(100)]);
  recent.learn([at(100)]);
  return recent;
}

test('a face is doubtful where none was, however certain; the one that was there is not', () => {
  assert.deepEqual(doubts(new RecentFaces(), at(100)), [true]);
  assert.deepEqual(doubts(afterFace(), at(100), at(300)), [false, true]);
});

test('a person who walks stays the same; doubt of another kind stays too', () => {
  assert.deepEqual(doubts(afterFace(), at(120)), [false]);
  assert.deepEqual(doubts(afterFace(), at(139)), [true]);
  assert.deepEqual(doubts(afterFace(), at(100, true)), [true]);
});

test('a face that is missed twice is not new; the third time it is', () => {
  const missed = (times: number): RecentFaces => {
    const recent = afterFace();
    for (let i = 0; i < times; i++) {
      recent.doubtingNew([]);
      recent.learn([]);
    }
    return recent;
  };
  assert.deepEqual(doubts(missed(2), at(100)), [false]);
  assert.deepEqual(doubts(missed(3), at(100)), [true]);
});

test('a rejected face is asked about again in the next picture', () => {
  const recent = new RecentFaces();
  recent.doubtingNew([at(100)]);
  recent.learn([]);
  assert.deepEqual(doubts(recent, at(100)), [true]);
});

test('a person who is followed for long is asked about once', () => {
  const recent = afterFace();
  for (let i = 1; i <= 20; i++) {
    assert.deepEqual(doubts(recent, at(100 + 15 * i)), [false], `${i}`);
    recent.learn([at(100 + 15 * i)]);
  }
});
