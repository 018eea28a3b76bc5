import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neverTurned } from '#cameras/cameras.ts';
import { placedMasks, shownParts } from './placed-masks.ts';

const [cut, whole] = [
  { x: 0.125, y: 0, width: 0.75, height: 1 },
  { x: 0, y: 0, width: 1, height: 1 },
];
const triangle: [number, number][] = [
  [0, 0],
  [1, 0],
  [0, 1],
];
const masks = {
  polygons: [triangle],
  rotation: 0,
  alignments: [],
  hadSubStream: false,
  turned: neverTurned,
} as const;
const started_at = new Date(50_000);
const pair = 'a pair';

test('C-401 a recording of a sub-stream hides every place where its masks may be', () => {
  const both = [
    { pair, part: cut },
    { pair: 'another', part: whole },
    { pair, part: whole },
  ];
  assert.deepEqual(shownParts({ ...masks, alignments: both }, pair), [cut, whole]);
  assert.equal(shownParts({ ...masks, alignments: both }, 'a third'), null);
  const main = shownParts({ ...masks, alignments: both }, 'main')!;
  assert.deepEqual(
    [main.length, { ...main[0], isMain: undefined }],
    [1, { ...whole, isMain: undefined }],
  );
});

test('C-401 a place that was forgotten is not trusted until another one is known', () => {
  const forgotten = [
    { pair, part: cut },
    { pair, part: null },
  ];
  assert.equal(shownParts({ ...masks, alignments: forgotten }, pair), null);
  assert.throws(
    () => placedMasks({ ...masks, alignments: forgotten }, { shows: pair, started_at }),
    {
      code: 'camera_not_aligned',
    },
  );
  const again = [...forgotten, { pair, part: whole }];
  assert.deepEqual(shownParts({ ...masks, alignments: again }, pair), [cut, whole]);
});

test('C-401 a file that does not say what it shows is of the main picture where there never was another', () => {
  assert.equal(shownParts(masks, null)?.length, 1);
  const had = { ...masks, hadSubStream: true };
  assert.equal(shownParts(had, null), null);
  assert.equal(shownParts({ ...had, alignments: [{ pair, part: cut }] }, null)?.length, 2);
  assert.deepEqual(
    placedMasks({ ...had, polygons: [] }, { shows: null, started_at }).polygons,
    [],
    'no mask, no question',
  );
});

test('C-401 a recording from before a turned camera was confirmed hides masks wherever they may have been', () => {
  const file = { shows: 'main', started_at };
  const turned = (untilMs: number | null) => ({ by: [0, 90, 270] as const, untilMs });
  const turns = (untilMs: number | null) =>
    placedMasks({ ...masks, turned: turned(untilMs) }, file).turns;
  assert.deepEqual(turns(null), [0, 90, 270], 'not looked at yet');
  assert.deepEqual(turns(50_001), [0, 90, 270]);
  assert.deepEqual(turns(50_000), [0], 'recorded since');
  assert.deepEqual(placedMasks(masks, file).turns, [0], 'never turned');
});
