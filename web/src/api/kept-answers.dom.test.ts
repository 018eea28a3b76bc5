import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { answer, refusal, type Seen } from '#testing/server.ts';
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { call } from './call.ts';
import { forgetAnswers } from './kept-answers.ts';

beforeEach(() => {
  forgetAnswers();
  localStorage.setItem('auth-token', 'old');
  localStorage.setItem('refresh-token', 'spare');
});

/** As the server: what was sent before is not sent again. */
const tagged =
  (tag: string, count: number) =>
  ({ headers }: Seen): Response =>
    headers.get('if-none-match') === tag
      ? new HttpResponse(null, { status: 304, headers: { ETag: tag } })
      : HttpResponse.json({ count, results: [] }, { headers: { ETag: tag } });

const list = (page = 1) => call(recordingRoutes.list, { query: { page } });
const tagsOf = (seen: readonly Seen[]) => seen.map(({ headers }) => headers.get('if-none-match'));

test('~REC-038 the tag of the last answer goes with the next question, and a 304 keeps that answer', async () => {
  const seen = answer(recordingRoutes.list, tagged('"a"', 3));
  const first = await list();
  expect(first.count).toBe(3);
  expect(await list()).toBe(first);
  expect(tagsOf(seen)).toEqual([null, '"a"']);
});

test('~REC-038 a change is read, and its tag is the next one', async () => {
  answer(recordingRoutes.list, tagged('"a"', 3));
  await list();
  const seen = answer(recordingRoutes.list, tagged('"b"', 4));
  expect((await list()).count).toBe(4);
  expect((await list()).count).toBe(4);
  expect(tagsOf(seen)).toEqual(['"a"', '"b"']);
});

test('each address has its own', async () => {
  const seen = answer(recordingRoutes.list, tagged('"a"', 3));
  await list(1);
  await list(2);
  expect(tagsOf(seen)).toEqual([null, null]);
});

test('an answer without a tag forgets the one before: nothing may stand for it', async () => {
  answer(recordingRoutes.list, tagged('"a"', 3));
  await list();
  const seen = answer(recordingRoutes.list, { count: 1, results: [] });
  await list();
  expect((await list()).count).toBe(1);
  expect(tagsOf(seen)).toEqual(['"a"', null]);
});

test('the tag is sent again with the renewed token', async () => {
  answer(recordingRoutes.list, tagged('"a"', 3));
  const first = await list();
  answer(accountRoutes.refresh, { access: 'fresh', refresh: 'next' });
  const seen = answer(recordingRoutes.list, (one) =>
    one.headers.get('authorization') === 'Bearer fresh'
      ? tagged('"a"', 3)(one)
      : refusal(401, 'not_signed_in', 'Please sign in.'),
  );
  expect(await list()).toBe(first);
  expect(tagsOf(seen)).toEqual(['"a"', '"a"']);
});

test('a refusal leaves what is kept; what the table does not call conditional is asked for whole', async () => {
  answer(recordingRoutes.list, tagged('"a"', 3));
  const first = await list();
  answer(recordingRoutes.list, refusal(503, 'unavailable', 'Later.'));
  await expect(list()).rejects.toMatchObject({ status: 503 });
  answer(recordingRoutes.list, tagged('"a"', 3));
  expect(await list()).toBe(first);
  const plain = answer(accountRoutes.me, () =>
    HttpResponse.json(aUser(), { headers: { ETag: '"me"' } }),
  );
  await call(accountRoutes.me, {});
  await call(accountRoutes.me, {});
  expect(tagsOf(plain)).toEqual([null, null]);
});

test('only the last sixteen are kept, and none once they are forgotten', async () => {
  answer(recordingRoutes.list, tagged('"a"', 3));
  for (let page = 1; page <= 17; page += 1) await list(page);
  const seen = answer(recordingRoutes.list, tagged('"a"', 3));
  await list(2);
  await list(1);
  forgetAnswers();
  await list(2);
  expect(tagsOf(seen)).toEqual(['"a"', null, null]);
});
