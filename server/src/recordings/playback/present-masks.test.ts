import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neverTurned } from '#cameras/cameras.ts';
import { withMasks } from './present-masks.ts';

test('C-401 a part with previous masks is made again, until it has today’s', async () => {
  const drawn = [[], [[0.1, 0.1]], [[0.2, 0.2]]];
  let now = 0;
  const masksOf = async () =>
    ({
      polygons: [drawn[now]!] as [number, number][][],
      rotation: 0,
      alignments: [],
      hadSubStream: false,
      turned: neverTurned,
    }) as const;
  const made: number[] = [];
  const make = async (): Promise<string> => {
    made.push(now);
    const was = now;
    if (now < 2) now += 1;
    return `made with ${was}`;
  };
  assert.equal(await withMasks({ masksOf }, 'camera', make), 'made with 2');
  assert.deepEqual(made, [0, 1, 2]);
  assert.equal(await withMasks({ masksOf }, 'camera', make), 'made with 2');
  assert.equal(made.length, 4, 'once where nothing changes');
});
