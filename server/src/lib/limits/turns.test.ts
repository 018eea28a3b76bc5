import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

/** Work that ends on request. */
function aJob() {
  const done = Promise.withResolvers<string>();
  const begins = Promise.withResolvers<void>();
  const job = { begun: false, begins: begins.promise, end: () => done.resolve('done') };
  const work = (): Promise<string> => {
    job.begun = true;
    begins.resolve();
    return done.promise;
  };
  return { job, work };
}

test('so much is done at once, the rest in order, and callers beyond the queue are refused', async () => {
  const turns = new Turns(2, 1);
  const jobs = [aJob(), aJob(), aJob(), aJob()];
  const [first, second, third] = jobs.slice(0, 3).map(({ work }) => turns.take('a', work));
  assert.deepEqual(
    jobs.map(({ job }) => job.begun),
    [true, true, false, false],
  );
  await assert.rejects(turns.take('b', jobs[3]!.work), { code: 'unavailable' });
  jobs[1]!.job.end();
  assert.equal(await second, 'done');
  await jobs[2]!.job.begins;
  jobs[0]!.job.end();
  jobs[2]!.job.end();
  await Promise.all([first, third]);
  assert.equal(await turns.take('a', async () => 'free'), 'free');
});

test('a caller who leaves before their turn blocks no one, and failing work passes its turn on', async () => {
  const turns = new Turns(1, 4);
  const [one, two, three] = [aJob(), aJob(), aJob()];
  const failing = turns.take('a', async () => {
    await one.work();
    throw new Error('failed');
  });
  const gone = new AbortController();
  const leaving = turns.take('a', two.work, gone.signal);
  const waiting = turns.take('a', three.work);
  gone.abort(new Error('left'));
  await assert.rejects(leaving, /left/);
  one.job.end();
  await assert.rejects(failing, /failed/);
  await three.job.begins;
  assert.ok(!two.job.begun);
  three.job.end();
  assert.equal(await waiting, 'done');
});

test('an account that asks for twenty things blocks no one who asks for one', async () => {
  const turns = new Turns(1, 4);
  const order: string[] = [];
  const { job, work } = aJob();
  const first = turns.take('a', work);
  const named = (name: string) => async () => void order.push(name);
  const waiting = [1, 2, 3, 4].map((nth) => turns.take('a', named(`a${nth}`)));
  // No room: of the account that asked for most, the oldest makes way.
  const refused = assert.rejects(waiting[0]!, {
    code: 'request_replaced',
    params: { retry_after_s: 2 },
  });
  const other = turns.take('b', named('b1'));
  await refused;
  job.end();
  await Promise.all([first, other, ...waiting.slice(1)]);
  assert.deepEqual(order, ['a2', 'b1', 'a3', 'a4']);
});

test('those that wait are refused when all is over, those that work go on', async () => {
  const turns = new Turns(1, 4);
  const { job, work } = aJob();
  const working = turns.take('a', work);
  const waiting = assert.rejects(
    turns.take('b', async () => 'late'),
    /over/,
  );
  turns.refuseWaiting(new Error('over'));
  await waiting;
  job.end();
  assert.equal(await working, 'done');
});
