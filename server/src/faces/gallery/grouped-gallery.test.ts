import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { GroupedGallery } from './grouped-gallery.ts';

const at = (x: number) => ({ pack: 'p', vector: Float32Array.of(x, 0, 0, 0) });
const probe = (x: number): Float32Array => at(x).vector;

test('a group of several identities is found once, by the nearest, and hides no one', () => {
  const gallery = new GroupedGallery();
  for (const [i, x] of [1, 2, 3].entries()) gallery.replace(`a${i}`, 'anna', [at(x)]);
  gallery.replace('b', 'berta', [at(9)]);
  assert.deepEqual(
    gallery.nearest(probe(2.2), 'p', 2).map(({ groupId, identityId }) => [groupId, identityId]),
    [
      ['anna', 'a1'],
      ['berta', 'b'],
    ],
  );
  assert.deepEqual([gallery.size, gallery.references('p')], [2, 4]);
});

test('an identity that changes its group, or is forgotten, leaves nothing behind', () => {
  const gallery = new GroupedGallery();
  gallery.replace('x', 'anna', [at(1), at(2)]);
  gallery.replace('x', 'berta', [at(1)]);
  assert.equal(gallery.nearest(probe(1), 'p', 1)[0]!.groupId, 'berta');
  assert.deepEqual([gallery.size, gallery.references('p')], [1, 1]);
  gallery.forget('x');
  gallery.forget('x');
  assert.deepEqual([gallery.size, gallery.references('p')], [0, 0]);
  assert.deepEqual(gallery.nearest(probe(1), 'p', 1), []);
});

test('a person with vectors of two packs counts once, and each pack is compared with its own', () => {
  const gallery = new GroupedGallery();
  const other = { pack: 'q', vector: Float32Array.of(5, 0) };
  gallery.replace('x', 'anna', [at(1), at(2), other]);
  assert.deepEqual([gallery.size, gallery.references('p'), gallery.references('q')], [1, 2, 1]);
  assert.equal(gallery.nearest(other.vector, 'q', 1)[0]!.distance, 0);
  assert.equal(gallery.nearest(probe(2), 'p', 1)[0]!.distance, 0);
});

test('whatever came and went, it finds what comparing everything finds', () => {
  const step = fc.record({
    identity: fc.constantFrom('1', '2', '3', '4', '5', '6'),
    group: fc.constantFrom('anna', 'berta', 'cemil'),
    places: fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 3 }),
  });
  const steps = fc.array(step, { maxLength: 20 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 50 }), (changes, place) => {
      const gallery = new GroupedGallery();
      const kept = new Map<string, (typeof changes)[number]>();
      for (const change of changes) {
        gallery.replace(change.identity, change.group, change.places.map(at));
        kept.set(change.identity, change);
      }
      const all = [...kept.values()].flatMap(({ group, places }) =>
        places.map((x) => ({ group, distance: Math.abs(x - place) })),
      );
      const nearest = new Map<string, number>();
      for (const { group, distance } of all) {
        nearest.set(group, Math.min(distance, nearest.get(group) ?? Infinity));
      }
      const found = gallery.nearest(probe(place), 'p', 3);
      assert.deepEqual(
        new Map(found.map(({ groupId, distance }) => [groupId, Math.round(distance)])),
        nearest,
      );
      const distances = found.map(({ distance }) => distance);
      assert.deepEqual(
        distances,
        distances.toSorted((a, b) => a - b),
      );
      assert.equal(gallery.references('p'), all.length);
    }),
  );
});
