import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type KyselyPlugin } from 'kysely';
import { testDatabase } from '#testing/database.ts';
import { pageOf } from './page.ts';

test('a page holds its rows in order; the count is of all pages and neither selects nor sorts', async () => {
  await using database = await testDatabase();
  const db = database.db.read();
  const sent: string[] = [];
  const recording: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      sent.push(db.getExecutor().compileQuery(node, queryId).sql);
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const numbers = sql<{ n: number }>`(select * from generate_series(1, 8) as n)`.as('numbers');
  const list = db
    .withPlugin(recording)
    .selectFrom(numbers)
    .where('n', '>', 1)
    .select(['n', sql<number | null>`lag(n) over (order by n)`.as('before')])
    .orderBy('n', 'desc');
  const page = async (number: number): Promise<unknown[]> => {
    const { count, rows } = await pageOf(list, { page: number, pageSize: 3 });
    return [count, rows.map(({ n, before }) => [n, before])];
  };

  assert.deepEqual(await page(1), [
    7,
    [
      [8, 7],
      [7, 6],
      [6, 5],
    ],
  ]);
  assert.deepEqual(await page(3), [7, [[2, null]]]);
  assert.deepEqual(await page(4), [7, []]);
  const from = 'from (select * from generate_series(1, 8) as n) as "numbers" where "n" > $1';
  assert.equal(sent[0], `select count(*) as "count" ${from}`);
});
