import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { maxReferences, withReference, type StrangerReference } from './stranger-references.ts';

const alike = 0.2;
const at = (visitId: string, x: number, quality = 0.5): StrangerReference => ({
  visitId,
  vector: Float32Array.of(x),
  quality,
});
const ids = (references: readonly StrangerReference[]): string[] =>
  references.map(({ visitId }) => visitId);

test('a picture that shows something new is kept, one that does not only when it is better', () => {
  const kept = [at('a', 0), at('b', 1)];
  assert.deepEqual(ids(withReference(kept, at('c', 2), alike)), ['a', 'b', 'c']);
  assert.deepEqual(ids(withReference(kept, at('c', 1.1, 0.4), alike)), ['a', 'b']);
  assert.deepEqual(ids(withReference(kept, at('c', 1.1, 0.6), alike)), ['a', 'c']);
});

test('a better picture of a visit takes the place of its own', () => {
  const kept = [at('a', 0, 0.9), at('b', 1)];
  assert.deepEqual(ids(withReference(kept, at('b', 3), alike)), ['a', 'b']);
  assert.deepEqual(ids(withReference(kept, at('b', 0.1), alike)), ['a'], 'and may tell nothing');
});

test('where there is no room, the least distinctive reference gives way, or none does', () => {
  const full = [at('a', 0), at('b', 1), at('c', 1.3), at('d', 3), at('e', 5)];
  assert.equal(full.length, maxReferences);
  assert.deepEqual(ids(withReference(full, at('f', 8), alike)), ['a', 'c', 'd', 'e', 'f']);
  assert.deepEqual(ids(withReference(full, at('f', 1.55), alike)), ['a', 'b', 'c', 'd', 'e']);
});

test('however many come, they are few, of different visits, and unlike each other', () => {
  const seen = fc.record({
    visitId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    x: fc.double({ min: 0, max: 4, noNaN: true }),
    quality: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 40 }), (all) => {
      let kept: readonly StrangerReference[] = [];
      for (const { visitId, x, quality } of all) {
        kept = withReference(kept, at(visitId, x, quality), alike);
        assert.ok(kept.length <= maxReferences && kept.length > 0);
        assert.equal(new Set(ids(kept)).size, kept.length);
      }
    }),
  );
});
