import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { aClock } from '#testing/clock.ts';
import { until } from '#testing/until.ts';
import { lineOf, ownSource } from './line.ts';
import { LineQueue, maxWaiting, type QueuedLine } from './line-queue.ts';
import { LineWriter } from './line-writer.ts';

const lost = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
const poison = Object.assign(new Error('value out of range'), { code: '22003' });

/** A writer whose database fails while `failure` is set; all that is logged comes back into the queue. */
function aWriter() {
  const queue = new LineQueue();
  const clock = aClock();
  const rows: QueuedLine[] = [];
  const state = { failure: null as Error | null, attempts: 0, printed: 0 };
  const back = (text: string): void => {
    state.printed += 1;
    const line = lineOf(text);
    if (line) queue.add(line);
  };
  const log = createLog('trace', { write: () => undefined }, { write: back });
  const store = {
    add: (lines: readonly QueuedLine[]) => {
      state.attempts += 1;
      if (lines.some(({ message }) => message === 'poison')) return Promise.reject(poison);
      if (state.failure) return Promise.reject(state.failure);
      rows.push(...lines);
      return Promise.resolve();
    },
    repeat: () => Promise.resolve(),
  };
  const own = log.child({ module: ownSource });
  const writer = new LineWriter({ queue, store, clock, log: own });
  return { queue, clock, rows, state, log, writer };
}

test('LDS-020 lines are written by themselves half a second later, in their order, and no caller waits', async () => {
  const { clock, rows, log, writer } = aWriter();
  await using _ = writer;
  log.info('first');
  log.warn('second');
  assert.deepEqual(rows, []);
  await until(() => clock.waiting > 0);
  clock.advance(500);
  await until(() => rows.length === 2);
  assert.deepEqual(
    rows.map(({ message }) => message),
    ['first', 'second'],
  );
});

test('LDS-020 while the database is away nothing multiplies: what fails to be written adds no line', async () => {
  const { queue, rows, state, log, writer } = aWriter();
  await using _ = writer;
  state.failure = lost;
  log.info('before');
  for (let tries = 0; tries < 20; tries += 1) assert.equal(await writer.flush(), false);
  assert.equal(state.attempts, 20);
  assert.equal(state.printed, 2, 'the line itself, and one that says it cannot be written');
  assert.equal(queue.next(100).length, 1);
  state.failure = null;
  assert.equal(await writer.flush(), true);
  assert.deepEqual(
    rows.map(({ message }) => message),
    ['before'],
  );
});

test('LDS-020 lines that found no room during an outage are counted in a line behind the others', async () => {
  const { rows, state, log, writer } = aWriter();
  await using _ = writer;
  state.failure = lost;
  for (let i = 0; i < maxWaiting + 7; i += 1) log.info(`line ${i}`);
  assert.equal(await writer.flush(), false);
  state.failure = null;
  assert.equal(await writer.flush(), true);
  assert.equal(rows.length, maxWaiting + 1);
  assert.deepEqual(rows.at(-1)?.details, { lines: 7 });
});

test('LDS-020 a line that the database refuses takes no other with it', async () => {
  const { rows, log, writer } = aWriter();
  await using _ = writer;
  for (const message of ['one', 'poison', 'two']) log.info(message);
  assert.equal(await writer.flush(), true);
  assert.deepEqual(
    rows.map(({ message }) => message),
    ['one', 'two', 'lines of the log were lost'],
  );
});

test('LDS-020 the end writes what waits', async () => {
  const { rows, log, writer } = aWriter();
  log.info('stopping');
  await writer[Symbol.asyncDispose]();
  assert.equal(rows.length, 1);
});
