import { expect, test, vi } from 'vitest';
import { FakeSourceBuffer } from '#testing/fake-media.ts';
import { AppendQueue } from './append-queue.ts';

function scene() {
  const buffer = new FakeSourceBuffer();
  const onAppended = vi.fn<() => void>();
  const onBroken = vi.fn<(cause: unknown) => void>();
  const queue = new AppendQueue(buffer, { currentTime: () => 9, onAppended, onBroken });
  const append = (...bytes: number[]): void => queue.append(new Uint8Array(bytes));
  return { buffer, queue, append, onAppended, onBroken };
}

test('one operation at a time; what waits meanwhile goes in together and in order', () => {
  const { buffer, append, onAppended } = scene();
  append(1);
  append(2);
  append(3);
  expect(buffer.log).toEqual(['append 1']);
  buffer.finish();
  expect(buffer.log).toEqual(['append 1', 'append 2,3']);
  expect(onAppended).toHaveBeenCalledTimes(1);
});

test('a full buffer loses what was seen, then everything, and the append is not lost', () => {
  const { buffer, append, onBroken } = scene();
  buffer.quotaFor = 2;
  append(1);
  expect(buffer.log).toEqual(['remove 0-7']);
  buffer.finish();
  expect(buffer.log).toEqual(['remove 0-7', 'remove 0-Infinity']);
  buffer.finish();
  expect(buffer.log.at(-1)).toBe('append 1');
  expect(onBroken).not.toHaveBeenCalled();
});

test('a buffer that stays full is broken, and nothing is done to it any more', () => {
  const { buffer, append, onBroken } = scene();
  buffer.quotaFor = 3;
  append(1);
  buffer.finish();
  buffer.finish();
  expect(onBroken).toHaveBeenCalledTimes(1);
  append(2);
  buffer.fail();
  expect(onBroken).toHaveBeenCalledTimes(1);
  expect(buffer.log).toEqual(['remove 0-7', 'remove 0-Infinity']);
});

test('a new stream in mid-stream drops what waits, empties the buffer and changes the type first', () => {
  const { buffer, queue, append } = scene();
  append(1);
  append(2);
  queue.restart('video/mp4; codecs="avc1.64001f"');
  append(3);
  buffer.finish();
  buffer.finish();
  expect(buffer.log).toEqual([
    'append 1',
    'remove 0-Infinity',
    'type video/mp4; codecs="avc1.64001f"',
    'append 3',
  ]);
});

test('an empty buffer is not emptied: nothing would say that it is done', () => {
  const { buffer, queue, append } = scene();
  buffer.ranges = [];
  queue.restart('video/mp4');
  append(3);
  expect(buffer.log).toEqual(['type video/mp4', 'append 3']);
});

test('trimming goes before what waits, and is not asked for twice', () => {
  const { buffer, queue, append, onAppended } = scene();
  append(1);
  append(2);
  queue.removeBefore(5);
  queue.removeBefore(6);
  buffer.finish();
  expect(onAppended).toHaveBeenCalledTimes(1);
  buffer.finish();
  expect(buffer.log).toEqual(['append 1', 'remove 0-5', 'append 2']);
  // That something was removed is no arrival.
  expect(onAppended).toHaveBeenCalledTimes(1);
});

test('refused media, and a browser that cannot keep up, are broken', () => {
  const refused = scene();
  refused.buffer.fail();
  expect(refused.onBroken).toHaveBeenCalledTimes(1);
  const slow = scene();
  slow.append(1);
  for (let i = 0; i < 3; i += 1) slow.queue.append(new Uint8Array(8 * 1024 * 1024));
  expect(slow.onBroken).toHaveBeenCalledTimes(1);
});
