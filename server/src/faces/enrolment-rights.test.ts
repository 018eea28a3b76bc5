import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { aClock } from '#testing/clock.ts';
import { Enrollers, type EnrolmentRights } from './enrolment-rights.ts';

const everywhere: EnrolmentRights = { tier: 0, cameras: 'all' };

/** `readings`: those that were begun, in their order, to be answered by the test. */
function anEnroller() {
  const readings: { answer: () => void; fail: () => void }[] = [];
  const enrollers = new Enrollers({
    rightsOf: (ids) =>
      new Promise((resolve, reject) => {
        readings.push({
          answer: () => resolve(new Map(ids.map((id) => [id, everywhere]))),
          fail: () => reject(new Error('away')),
        });
      }),
    clock: aClock(),
    log: createLog('silent'),
  });
  return { enrollers, readings };
}

test('rights that could not be read are asked for again by the next caller that needs them', async () => {
  const { enrollers, readings } = anEnroller();
  using _ = enrollers;
  const first = enrollers.learn(['ana']);
  readings[0]!.fail();
  await assert.rejects(first, /away/);
  const second = enrollers.learn(['ana']);
  assert.equal(readings.length, 2, 'people of an account without rights would be strangers');
  readings[1]!.answer();
  await second;
  assert.equal(enrollers.tierOf('ana'), 0);
  await enrollers.learn(['ana', null]);
  assert.equal(readings.length, 2, 'what is known is not asked again');
});

test('rights read earlier do not replace those read since, of more accounts', async () => {
  const { enrollers, readings } = anEnroller();
  using _ = enrollers;
  const learnt = enrollers.learn(['ana']);
  readings[0]!.answer();
  await learnt;
  const refreshed = enrollers.refresh();
  const more = enrollers.learn(['ben']);
  readings[2]!.answer();
  await more;
  readings[1]!.answer();
  await refreshed;
  assert.deepEqual([enrollers.tierOf('ana'), enrollers.tierOf('ben')], [0, 0]);
});
