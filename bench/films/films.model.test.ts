/**
 * Some of the films of `npm run bench -- films`: a number that passes to another person takes a name with it, a round
 * thing on a wall is no visit, and a person who turns away and back has come once.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Ours } from '../faces/ours.ts';
import { makeModels } from '../../server/src/vision/setup/make-models.ts';
import { crossings } from './crossings.ts';
import { makeTwoStreams } from './make.ts';
import { enrolled, peopleOf, portraitsOf, usable, type People } from './people.ts';
import type { Scene } from './scene.ts';
import { Stage } from './stage.ts';
import { staying } from './staying.ts';
import { sumOf } from './tracking.ts';

const folder = process.env['NAZAR_TEST_FACES'];
const options = {
  skip: folder === undefined && 'NAZAR_TEST_FACES is not set',
  timeout: 240_000,
} as const;
const kinds = ['walk past each other', 'meet and turn back', 'one takes the place of the other'];
let stage: Stage | undefined;
let people: People;

before(
  async () => {
    if (folder === undefined) return;
    makeModels();
    await using ours = await Ours.load();
    people = (await peopleOf(folder, ours, ['bbt', 'msfam'])).everyday;
    stage = await Stage.open();
  },
  { timeout: 120_000 },
);
after(() => stage?.[Symbol.asyncDispose]());

test(
  'people who cross keep their numbers and their names, where overlap alone would give them away',
  options,
  async (t) => {
    const films = await crossings(stage!, people, 1, kinds);
    const product = sumOf(films.map((film) => film.ours));
    const overlap = sumOf(films.map((film) => film.overlap));
    t.diagnostic(`switches ${product.switches}, by overlap alone ${overlap.switches}`);
    assert.ok(product.inPlainView >= 120 && product.followed >= 0.9 * product.inPlainView);
    assert.equal(product.passedOn, 0, 'no number went from one to another');
    assert.ok(product.switches < overlap.switches);
    for (const { kind, names, wrongNames, wrongVisits, visits } of films) {
      assert.ok(names >= 10, `${kind}: ${names} boxes were named`);
      assert.deepEqual([wrongNames, wrongVisits], [0, 0], kind);
      assert.equal(visits, 2, `${kind}: two people, and nobody of what hangs on the wall`);
    }
  },
);

test(
  '~ENT-023 a person who turns away and back is one visit, known or not; a stranger is never a known person',
  options,
  async () => {
    const [known, stranger] = await staying(stage!, people, 1, 4);
    const once = { appearances: 4, visits: 1, right: 1, people: 1 };
    assert.deepEqual(known, { isEnrolled: true, ...once });
    assert.deepEqual(stranger, { isEnrolled: false, ...once });
  },
);

test(
  'a face too small to be compared in the sub-stream is named by the main stream',
  options,
  async (t) => {
    const [cast] = [...people.values()].map(usable).filter((photos) => photos.length >= 2);
    const { who, photo } = cast![1]!;
    // 28 pixels wide in the sub-stream, about 12 of them between the eyes.
    const stop = { y: 300, size: 56 };
    const path = [
      { at: 0.5, x: 500, ...stop },
      { at: 5, x: 700, ...stop },
    ];
    const scene: Scene = { name: 'far', seconds: 6, appearances: [{ who, photo, path, depth: 1 }] };
    const paths = { main: stage!.path('far.mp4'), sub: stage!.path('far-sub.mp4') };
    const { main, sub } = await makeTwoStreams(paths, scene, portraitsOf(people));
    const gallery = [...people.values()].map((photos) => enrolled(usable(photos)));
    const named = async (usesMainStream: boolean) => {
      const shown = await stage!.show(sub, gallery, { film: main, usesMainStream });
      t.diagnostic(`main-stream detections: ${shown.mainStream.detected}`);
      return shown.visits.map(({ person }) => person);
    };
    assert.deepEqual(await named(true), [who]);
    assert.deepEqual(
      (await named(false)).filter((person) => person !== null),
      [],
    );
  },
);
