/** Three of the films of `npm run bench -- films`, because a number that goes to another takes a name with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ours } from '../faces/ours.ts';
import { makeModels } from '../../server/src/vision/make-models.ts';
import { crossings } from './crossings.ts';
import { peopleOf } from './people.ts';
import { Stage } from './stage.ts';
import { sumOf } from './tracking.ts';

const folder = process.env['NAZAR_TEST_FACES'];
const kinds = ['walk past each other', 'meet and turn back', 'one takes the place of the other'];

test(
  'people who cross keep their numbers and their names, where overlap alone would give them away',
  { skip: folder === undefined && 'NAZAR_TEST_FACES is not set', timeout: 240_000 },
  async (t) => {
    makeModels();
    await using ours = await Ours.load();
    const { everyday } = await peopleOf(folder!, ours, ['bbt', 'msfam']);
    await using stage = await Stage.open();
    const films = await crossings(stage, everyday, 1, kinds);
    const product = sumOf(films.map((film) => film.ours));
    const overlap = sumOf(films.map((film) => film.overlap));
    t.diagnostic(`switches ${product.switches}, by overlap alone ${overlap.switches}`);
    assert.ok(product.sightings >= 120 && product.followed >= 0.9 * product.sightings);
    assert.equal(product.passedOn, 0, 'no number went from one to another');
    assert.ok(product.switches < overlap.switches);
    for (const { kind, names, wrongNames, wrongVisits, visits } of films) {
      assert.ok(names >= 10, `${kind}: ${names} boxes were named`);
      assert.deepEqual([wrongNames, wrongVisits], [0, 0], kind);
      assert.ok(visits <= 4, `${kind}: two people are ${visits} visits`);
    }
  },
);
