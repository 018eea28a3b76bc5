import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

/** Work that ends when it is told to. */
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

test('so much is done at once, the rest in order, and who comes when too many wait is told so', async () => {
  const turns = new Turns(2, 1);
  const jobs = [aJob(), aJob(), aJob(), aJob()];
  const [first, second, third] = jobs.slice(0, 3).map(({ work }) => turns.take(work));
  assert.deepEqual(
    jobs.map(({ job }) => job.begun),
    [true, true, false, false],
  );
  await assert.rejects(turns.take(jobs[3]!.work), { code: 'unavailable' });
  jobs[1]!.job.end();
  assert.equal(await second, 'done');
  await jobs[2]!.job.begins;
  jobs[0]!.job.end();
  jobs[2]!.job.end();
  await Promise.all([first, third]);
  assert.equal(await turns.take(async () => 'free'), 'free');
});

test('who leaves before their turn holds nobody up, and work that fails gives its turn on', async () => {
  const turns = new Turns(1, 4);
  const [one, two, three] = [aJob(), aJob(), aJob()];
  const failing = turns.take(async () => {
    await one.work();
    throw new Error('failed');
  });
  const gone = new AbortController();
  const leaving = turns.take(two.work, gone.signal);
  const waiting = turns.take(three.work);
  gone.abort(new Error('left'));
  await assert.rejects(leaving, /left/);
  one.job.end();
  await assert.rejects(failing, /failed/);
  await three.job.begins;
  assert.ok(!two.job.begun);
  three.job.end();
  assert.equal(await waiting, 'done');
});
