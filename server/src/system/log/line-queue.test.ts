import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Line } from './line.ts';
import { LineQueue, maxWaiting, repeatMs } from './line-queue.ts';

const line = (message: string, atMs = 0, more: Partial<Line> = {}): Line => ({
  level: 'info',
  source: 'server',
  message,
  userId: null,
  details: {},
  atMs,
  ...more,
});

const said = (queue: LineQueue) =>
  queue.next(10).map(({ message, repeats, lastAtMs }) => [message, repeats, lastAtMs]);

test('LDS-020 the same said within a minute is one line with a number; then it begins anew', () => {
  const queue = new LineQueue();
  const ids = [0, 10, repeatMs - 1].map((atMs) => queue.add(line('a', atMs)));
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(said(queue), [['a', 3, repeatMs - 1]]);
  assert.notEqual(queue.add(line('a', repeatMs)), ids[0]);
  assert.equal(queue.next(10).length, 2);
});

test('LDS-020 a difference in level, source, user or details is another line', () => {
  const queue = new LineQueue();
  const others: Partial<Line>[] = [
    {},
    { level: 'error' },
    { source: 'mail' },
    { userId: 'u' },
    { details: { camera: 1 } },
  ];
  for (const more of others) queue.add(line('a', 0, more));
  assert.equal(queue.next(10).length, others.length);
});

test('LDS-020 a line said again after it was written is written again with its number, once', () => {
  const queue = new LineQueue();
  queue.add(line('a'));
  const taken = queue.next(10);
  queue.add(line('a', 5)); // while it is being written
  queue.written(taken);
  assert.deepEqual(
    queue.repeated(10).map(({ id, repeats }) => [id, repeats]),
    [[taken[0]!.id, 2]],
  );
  queue.add(line('a', 6));
  const again = queue.repeated(10);
  assert.equal(again[0]?.repeats, 3);
  queue.written(again);
  assert.ok(queue.isEmpty);
});

test('LDS-020 so many lines wait at most; the others are counted, and the log says so itself', () => {
  const queue = new LineQueue();
  for (let i = 0; i < maxWaiting + 3; i += 1) queue.add(line(`line ${i}`, i));
  assert.equal(queue.lost, 3);
  assert.equal(queue.add(line('one more')), null);
  assert.notEqual(
    queue.add(line(`line ${maxWaiting - 1}`, 1)),
    null,
    'what waits already needs no room',
  );
  queue.written(queue.next(maxWaiting));
  queue.tellLosses(7);
  assert.equal(queue.lost, 0);
  const [lossLine, ...rest] = queue.next(10);
  assert.deepEqual(rest, []);
  assert.deepEqual(
    [lossLine?.level, lossLine?.source, lossLine?.details],
    ['warning', 'system', { lines: 4 }],
  );
  queue.written([lossLine!]);
  queue.tellLosses(8);
  assert.ok(queue.isEmpty, 'said once');
});

test('LDS-020 a line that the database will never take counts as lost', () => {
  const queue = new LineQueue();
  queue.add(line('a'));
  queue.refused(queue.next(1));
  assert.equal(queue.lost, 1);
  assert.deepEqual(queue.next(10), []);
});
