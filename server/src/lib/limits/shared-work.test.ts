import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedWork } from './shared-work.ts';

const forever = new AbortController().signal;
const shared = (maxBytes: number) => new SharedWork<Buffer>(maxBytes, ({ length }) => length);

test('work that several ask for at once is made once, and kept for later callers', async () => {
  const works = shared(100);
  let made = 0;
  const make = async (): Promise<Buffer> => Buffer.from(`made ${(made += 1)}`);
  const [one, two] = await Promise.all([
    works.get('a', forever, make),
    works.get('a', forever, make),
  ]);
  assert.deepEqual([one, two, made], [Buffer.from('made 1'), one, 1]);
  assert.equal(await works.get('a', forever, make), one);
  assert.notEqual(await works.get('b', forever, make), one);
});

test('the answer asked for least goes first when there is no room, and a larger one is not kept', async () => {
  const works = shared(10);
  const made: string[] = [];
  const get = (key: string, bytes = 4) =>
    works.get(key, forever, async () => {
      made.push(key);
      return Buffer.alloc(bytes);
    });
  await get('a');
  await get('b');
  await get('a');
  await get('c');
  await get('a');
  await get('b');
  await get('large', 11);
  await get('large', 11);
  await get('b');
  assert.deepEqual(made, ['a', 'b', 'c', 'b', 'large', 'large']);
});

test('it stops when the last who waited left, and not before; who comes then has it made anew', async () => {
  const works = shared(10);
  const stops: AbortSignal[] = [];
  const work = (stop: AbortSignal) => {
    stops.push(stop);
    return new Promise<Buffer>(() => undefined);
  };
  const [one, two] = [new AbortController(), new AbortController()];
  const first = works.get('a', one.signal, work);
  const second = works.get('a', two.signal, work);
  one.abort(new Error('one left'));
  await assert.rejects(first, /one left/);
  assert.deepEqual(
    stops.map(({ aborted }) => aborted),
    [false],
  );
  two.abort(new Error('two left'));
  await assert.rejects(second, /two left/);
  assert.ok(stops[0]!.aborted);
  assert.equal((await works.get('a', forever, async () => Buffer.from('anew'))).toString(), 'anew');
});

test('a failure is not kept', async () => {
  const works = shared(10);
  const failing = works.get('a', forever, () => Promise.reject(new Error('failed')));
  await assert.rejects(failing, /failed/);
  assert.equal((await works.get('a', forever, async () => Buffer.from('made'))).toString(), 'made');
});
