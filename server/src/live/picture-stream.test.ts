import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Clock } from '#lib/clock.ts';
import { PictureStream } from './picture-stream.ts';

let ms = 0;
const clock: Clock = { now: () => ms, monotonicMs: () => ms, wait: () => Promise.resolve() };
const jpeg = (name: string): Buffer => Buffer.from(name.padEnd(50_000, '.'));

test('APD-004 a part begins with what it is and ends with the boundary that lets it be shown', () => {
  const stream = new PictureStream(clock);
  assert.equal((stream.read() as Buffer).toString(), '--frame\r\n');
  stream.offer(Buffer.from('picture'));
  const head = 'Content-Type: image/jpeg\r\nContent-Length: 7\r\n\r\n';
  assert.equal((stream.read() as Buffer).toString(), `${head}picture\r\n--frame\r\n`);
});

test('R-10 a slow reader gets the newest picture, and no more than one waits', () => {
  const stream = new PictureStream(clock);
  stream.read();
  stream.read(); // asks for the first picture
  for (const name of ['one', 'two', 'three', 'four']) stream.offer(jpeg(name));
  assert.ok(stream.readableLength < 2 * 50_100, 'one is ready, one waits its turn');
  const read = (stream.read() as Buffer).toString();
  assert.deepEqual(read.match(/one|two|three|four/g), ['one', 'four']);
});

test('R-10 a reader who takes nothing for 30 s is disconnected; one who takes a picture now and then is not', async () => {
  const slow = new PictureStream(clock);
  slow.read();
  for (let round = 0; round < 5; round++) {
    slow.offer(jpeg('picture'));
    slow.read();
    ms += 20_000;
  }
  slow.offer(jpeg('picture'));
  assert.equal(slow.destroyed, false);
  const stalled = new PictureStream(clock);
  stalled.offer(jpeg('picture'));
  ms += 30_000;
  stalled.offer(jpeg('picture'));
  assert.equal(stalled.destroyed, true);
  await once(stalled, 'close');
});

test('a stream that is finished ends for its reader', async () => {
  const stream = new PictureStream(clock);
  stream.finish();
  const chunks: unknown[] = await stream.toArray();
  assert.equal(chunks.length, 1);
});

test('~NSH-021 only a stream that a user stopped is closed as RFC 2046 closes one', async () => {
  const sent = async (end: (stream: PictureStream) => void): Promise<string> => {
    const stream = new PictureStream(clock);
    end(stream);
    return Buffer.concat((await stream.toArray()) as Buffer[]).toString();
  };
  assert.equal(await sent((stream) => stream.close()), '--frame\r\n--frame--\r\n');
  assert.equal(await sent((stream) => stream.finish()), '--frame\r\n');
});
