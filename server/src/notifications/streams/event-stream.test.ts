import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { EventStream } from './event-stream.ts';

const read = (stream: EventStream): string => String(stream.read() ?? '');

test('~NSH-008 an event has its id, its name and one line of data, whatever is in it', () => {
  const stream = new EventStream();
  assert.equal(read(stream), ':\n\n');
  stream.send({ event: 'notification', id: '1', data: { title: 'two\nlines' } });
  stream.send({ event: 'unread_count', data: { unread_count: 2 } });
  assert.equal(
    read(stream),
    'id: 1\nevent: notification\ndata: {"title":"two\\nlines"}\n\n' +
      'event: unread_count\ndata: {"unread_count":2}\n\n',
  );
});

test('R-10 a reader that takes nothing is closed: by the second keep-alive, or once too much waits', async () => {
  const [silent, flooded, reading] = [new EventStream(), new EventStream(), new EventStream()];
  for (const stream of [silent, flooded, reading]) read(stream);
  silent.send({ event: 'unread_count', data: { unread_count: 1 } });
  silent.keepAlive();
  assert.equal(silent.destroyed, false);
  silent.keepAlive();
  assert.equal(silent.destroyed, true);
  await once(silent, 'close');
  for (let nth = 0; nth < 10; nth += 1) {
    reading.send({ event: 'notification', data: { title: 'x'.repeat(100_000) } });
    read(reading);
    reading.keepAlive();
    assert.equal(read(reading), ':\n\n');
    flooded.send({ event: 'notification', data: { title: 'x'.repeat(100_000) } });
  }
  assert.deepEqual([reading.destroyed, flooded.destroyed], [false, true]);
  assert.ok(flooded.readableLength < 500_000);
});

test('a stream that is finished ends for its reader, once', async () => {
  const stream = new EventStream();
  stream.finish();
  stream.finish();
  stream.keepAlive();
  assert.equal(Buffer.concat(await stream.toArray()).toString(), ':\n\n');
});
