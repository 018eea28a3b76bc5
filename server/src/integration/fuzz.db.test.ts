/**
 * Every route of the contract, asked by everybody with what fits, what nearly fits and what is meant to
 * hurt. Nothing of it may be a failure of ours, hang, tell of our insides or change a prototype.
 * `NAZAR_TEST_REQUESTS` says how many (5,000), `NAZAR_TEST_SEED` repeats a run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { faultOf, FuzzTarget, isRare } from '#testing/fuzz.ts';
import { requests, type FuzzRequest } from '#testing/requests.ts';
import { named, routes } from '#testing/routes.ts';

const total = Number(process.env['NAZAR_TEST_REQUESTS'] ?? 5_000);
const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
/** What a round broke for its callers, such as their sign-in, is whole again in the next. */
const perRound = 2_500;

test('R-13, C-525, C-602, C-607, C-710, C-711, C-712 fuzzed, no route fails, hangs, leaks or is polluted', async (t) => {
  t.diagnostic(`NAZAR_TEST_SEED=${seed} NAZAR_TEST_REQUESTS=${total}`);
  const answered = new Map<string, number>();
  const statuses = new Map<number, number>();
  for (let round = 0; round * perRound < total; round += 1) {
    await using target = await FuzzTarget.open();
    const arbitrary = requests(routes, isRare);
    const property = fc.asyncProperty(arbitrary, async (request) => {
      const answer = await target.ask(request);
      const { method, path } = request.route;
      const name = named({ method, path });
      answered.set(name, (answered.get(name) ?? 0) + 1);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      assert.equal(faultOf(request, answer), null);
      assert.deepEqual(target.secretsIn(answer), []);
    });
    const result = await fc.check(property, {
      numRuns: Math.min(perRound, total - round * perRound),
      seed: seed + round,
      examples: oneOfEach(seed + round),
    });
    assert.ok(!result.failed, failureText(seed + round, result));
  }
  assert.deepEqual(
    routes.map(named).filter((name) => !answered.has(name)),
    [],
  );
  const counts = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, n]) => `${status}: ${n}`);
  t.diagnostic(`answers ${counts.join(', ')}; least asked route ${Math.min(...answered.values())}`);
});

/** Chance alone left a rare route out of 5,000 requests about once in 40 runs. */
const oneOfEach = (seedOfRound: number): [FuzzRequest][] =>
  routes.flatMap((route) =>
    fc.sample(fc.tuple(requests([route], isRare)), { numRuns: 1, seed: seedOfRound }),
  );

/** The smallest request that does it, as it was sent. */
function failureText(seedOfRound: number, result: fc.RunDetails<[FuzzRequest]>): string {
  const { counterexample, errorInstance } = result;
  if (!counterexample) return `seed ${seedOfRound}: ${String(errorInstance)}`;
  const [{ as, route, url, headers, payload }] = counterexample;
  const fault =
    errorInstance instanceof assert.AssertionError ? errorInstance.actual : errorInstance;
  const sent = { as, method: route.method, url, headers, payload: payload?.slice(0, 2_000) };
  return `seed ${seedOfRound}: ${String(fault)}\n${JSON.stringify(sent)}`;
}
