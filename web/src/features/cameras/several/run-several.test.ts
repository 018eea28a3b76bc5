import { expect, test } from 'vitest';
import { runSeveral } from './run-several.ts';

const items = Array.from({ length: 20 }, (_, n) => n);

test('each is done by itself, at most four at once, and one that fails stops no other', async () => {
  let running = 0;
  let most = 0;
  const work = async (item: number): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    if (item % 10 === 3) throw new Error(`no ${item}`);
  };
  const progress: number[] = [];
  const outcome = await runSeveral(items, work, new AbortController().signal, (n) =>
    progress.push(n),
  );
  expect(most).toBe(4);
  expect(outcome.done).toHaveLength(18);
  expect(outcome.failed.map(({ item }) => item)).toEqual([3, 13]);
  expect(outcome.left).toEqual([]);
  expect(progress).toEqual(items.map((n) => n + 1));
});

test('a step that has begun is finished after a cancel, and no other begins', async () => {
  const own = new AbortController();
  const work = async (item: number): Promise<void> => {
    if (item === 5) own.abort();
  };
  const { done, failed, left } = await runSeveral(items, work, own.signal, () => undefined);
  expect(done.length + left.length).toBe(20);
  expect(left.length).toBeGreaterThanOrEqual(12);
  expect(failed).toEqual([]);
});
