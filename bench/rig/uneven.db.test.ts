/** Lists on data as places have them, in small: no page reads a whole table. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertCountsAreExact } from '../../server/src/testing/recount.ts';
import { questionsAmong, rowsRead, statementsOf } from './plans.ts';
import { pagesOf, panelsOf, personPages } from './uneven-questions.ts';
import { unevenServer, type UnevenServer } from './uneven-world.ts';
import { countAll } from './visits.ts';

const size = { visits: 20_000, people: 100, strangers: 1_500, cameras: 20, days: 100 };
/**
 * Rows that a page may read of what grows with visits. Its own are a hundred at most. Of strangers at cameras, 6,000 rows
 * here, those of a reader's five cameras of twenty are added up.
 */
const mostRows: Readonly<Record<string, number>> = {
  visit: 1_500,
  visit_day: 1_500,
  visit_person_quarter: 1_500,
  visit_identity_quarter: 1_500,
  visit_stranger_camera: 2_500,
};
const months = 12;
const pageIn = (path: string): { page?: number; limit?: number } =>
  Object.fromEntries(
    [...path.matchAll(/\b(page|limit)=(\d+)/g)].map(([, of, n]) => [of, Number(n)]),
  );
/** How many visits are read, at any size, for the strangers who came last to some cameras. */
const walked = 4_000;
const isWalked = (what: string): boolean =>
  /^unknown people (by -timestamp|who are new|of the busiest camera)/.test(what);

let made: UnevenServer;
before(async () => {
  made = await unevenServer(size);
  await countAll(made.world.database.db);
});
after(() => made[Symbol.asyncDispose]());

test('the counts of all visits, made anew, are those of the visits', () =>
  assertCountsAreExact(made.world.database.db));

test('no reader’s page reads a whole table', async () => {
  const { db } = made.world.database;
  const found: string[] = [];
  for (const [reader, who] of Object.entries(made.readers)) {
    for (const { what, path } of pagesOf(made.shape)) {
      const statements = await statementsOf(async () => {
        const { status, text } = await who.get(`/secure-api/${path}`);
        // Five cameras have fewer pages.
        const isLate = status === 400 && text.includes('"page"') && reader !== 'all';
        if (status !== 200 && !isLate) found.push(`${what} for ${reader}: ${status} ${text}`);
      });
      for (const statement of questionsAmong(statements)) {
        const { rows } = await rowsRead(db, statement);
        for (const [table, read] of rows) {
          const more = table === 'visit' && isWalked(what) ? walked : 0;
          if (read > (mostRows[table] ?? Infinity) + more)
            found.push(`${what} for ${reader}: ${read} rows of ${table}`);
        }
      }
    }
  }
  assert.deepEqual(found, []);
});

test('a page of one person’s or stranger’s visits reads only its own rows, and no more of the index', async () => {
  const { db } = made.world.database;
  const found: string[] = [];
  let most = 0;
  for (const [reader, who] of Object.entries(made.readers)) {
    for (const { what, path } of personPages(made.shape)) {
      let listed = 0;
      const statements = await statementsOf(async () => {
        const { text } = await who.get(`/secure-api/${path}`);
        listed = (JSON.parse(text) as { results?: unknown[] }).results?.length ?? 0;
      });
      most = Math.max(most, listed);
      const { page = 1, limit = 0 } = pageIn(path);
      for (const statement of questionsAmong(statements)) {
        const { rows, ofTables } = await rowsRead(db, statement);
        const read = ofTables.get('visit') ?? 0;
        if (read > listed) found.push(`${what} for ${reader}: ${read} visits for ${listed}`);
        // Those of the pages before, those of this one twice, and in each month the next and some that are deleted.
        const most = page * limit + listed + 2 * months;
        const inOrder = rows.get('visit') ?? 0;
        const isCounted = /^\s*select count/.test(statement.text);
        const isAnywhere = reader === 'all' && !path.includes('camera_id');
        if (isAnywhere && !isCounted && inOrder > most)
          found.push(`${what} for ${reader}: ${inOrder} rows of the index for ${most}`);
      }
    }
  }
  assert.equal(most, 100, 'a whole page was among them');
  assert.deepEqual(found, []);
});

test('every panel answers every reader', async () => {
  for (const [reader, who] of Object.entries(made.readers)) {
    for (const { what, path } of panelsOf(made.shape)) {
      const { status, text } = await who.get(`/secure-api/${path}`);
      assert.equal(status, 200, `${what} for ${reader}: ${text}`);
    }
  }
});
