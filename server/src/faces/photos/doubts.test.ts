/** Which photos of a person do not show them, by vectors of which the truth is known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { shippedPack } from '#vision/packs/shipped-pack.ts';
import { mobileFaceNetPack } from '#vision/packs/mobilefacenet-pack.ts';
import { doubtLimits, doubtsOf, type Doubt, type OtherPerson, type PhotoVector } from './doubts.ts';

const { calibration } = shippedPack.embedder;
const limits = doubtLimits(calibration, 25);

/**
 * Photo `id` of the face `face`: faces are at right angles, so that two of them are 1.41 apart, and `off` moves the
 * photo away from its face by as much, in a direction of its own.
 */
function photo(id: string, face: number, off = 0.2, width = 128): PhotoVector {
  const vector = new Float32Array(width);
  vector[face] = 1;
  const own =
    64 + (Array.from(id, (letter) => letter.charCodeAt(0)).reduce((a, b) => a + b, 0) % 64);
  vector[own] = off;
  return { imageId: id, vector };
}

const person = (personId: string, ...photos: PhotoVector[]): OtherPerson => ({ personId, photos });
const doubtsAmong = (
  photos: readonly PhotoVector[],
  others: readonly OtherPerson[] = [],
): Record<string, string> =>
  Object.fromEntries(
    [...doubtsOf(photos, others, limits)].map(
      ([id, { reason, fits, isAside }]: [string, Doubt]) => [
        id,
        `${isAside ? 'aside' : 'look'}: ${reason}${fits === null ? '' : ` ${fits}`}`,
      ],
    ),
  );

const [a1, a2, a3] = [photo('a1', 0), photo('a2', 0), photo('a3', 0)];
const [b1, b2] = [photo('b1', 1), photo('b2', 1)];
const ben = person('ben', b1, b2);

test('photos that agree are in no doubt, whatever other people there are', () => {
  assert.deepEqual(doubtsAmong([]), {});
  assert.deepEqual(doubtsAmong([a1, a2, a3], [ben]), {});
});

test('one that the others do not look like is set aside; whom it shows is reported where they are known', () => {
  const wrong = photo('wrong', 1);
  assert.deepEqual(doubtsAmong([a1, a2, wrong]), { wrong: 'aside: disagrees_with_others' });
  assert.deepEqual(doubtsAmong([wrong, a2, a1], [ben]), { wrong: 'aside: fits_other_person ben' });
  const [one, two] = [photo('one', 1), photo('two', 2)];
  assert.deepEqual(doubtsAmong([a1, one, a2, two], [ben]), {
    one: 'aside: fits_other_person ben',
    two: 'aside: disagrees_with_others',
  });
});

test('two wrong ones of one face do not outvote three right ones', () => {
  assert.deepEqual(doubtsAmong([b1, b2, a1, a2, a3]), {
    b1: 'aside: disagrees_with_others',
    b2: 'aside: disagrees_with_others',
  });
});

test('the only photo of a person is never in doubt', () => {
  assert.deepEqual(doubtsAmong([photo('wrong', 1)], [ben]), {});
});

test('both of two photos that disagree must be checked, unless one fits another person', () => {
  const wrong = photo('wrong', 1);
  const look = 'look: disagrees_with_others';
  assert.deepEqual(doubtsAmong([a1, wrong]), { a1: look, wrong: look });
  assert.deepEqual(doubtsAmong([a1, wrong], [ben]), {
    a1: look,
    wrong: 'aside: fits_other_person ben',
  });
  assert.deepEqual(doubtsAmong([a1, a2, b1, b2]), { a1: look, a2: look, b1: look, b2: look });
});

test('no person loses all photos, though each fits another person', () => {
  const [one, two] = [photo('one', 1), photo('two', 2)];
  const cem = person('cem', photo('c1', 2));
  assert.deepEqual(doubtsAmong([one, two], [ben, cem]), {
    one: 'look: fits_other_person ben',
    two: 'look: fits_other_person cem',
  });
});

test('where most photos show another person, the others are not set aside for it', () => {
  const [one, two] = [photo('one', 1), photo('two', 1)];
  assert.deepEqual(doubtsAmong([a1, one, two], [ben]), { a1: 'look: disagrees_with_others' });
  assert.deepEqual(doubtsAmong([one, two], [ben]), {}, 'entered twice');
});

test('others are compared by the photos that show them, not by their wrong photos', () => {
  const wrong = photo('wrong', 0);
  const misled = person('ben', b1, b2, photo('stray', 0));
  assert.deepEqual(doubtsAmong([photo('c1', 2), photo('c2', 2), wrong], [misled]), {
    wrong: 'aside: disagrees_with_others',
  });
  const unclear = person('ben', b1, photo('stray', 0));
  assert.deepEqual(doubtsAmong([photo('c1', 2), wrong], [unclear]), {
    c1: 'look: disagrees_with_others',
    wrong: 'look: disagrees_with_others',
  });
});

test('a picture that a user confirmed is beyond doubt, and so is what looks like it', () => {
  const said = (id: string, face: number): PhotoVector => ({
    ...photo(id, face),
    isConfirmed: true,
  });
  assert.deepEqual(doubtsAmong([a1, said('visit', 5)], [ben]), {});
  assert.deepEqual(doubtsAmong([a1, a2, said('visit', 1)], [ben]), {});
  assert.deepEqual(
    doubtsAmong([a1, a2, said('visit', 5), photo('like it', 5), photo('wrong', 2)]),
    {
      wrong: 'aside: disagrees_with_others',
    },
  );
  const seen = person('cem', photo('c1', 2), said('visit', 5));
  assert.deepEqual(doubtsAmong([a1, a2, photo('wrong', 5)], [seen]), {
    wrong: 'aside: fits_other_person cem',
  });
});

test('a photo that is hardly nearer to another person does not fit them better', () => {
  const own = photo('own', 0, 0);
  const at = (id: string, distance: number): PhotoVector => {
    const vector = new Float32Array(own.vector);
    vector[40] = distance;
    return { imageId: id, vector };
  };
  const apart = limits.same + 0.01;
  const near = (distance: number): OtherPerson => {
    const { vector } = at('near', -distance);
    return person('ben', { imageId: 'near', vector });
  };
  const doubt = (distance: number) => doubtsOf([own, at('far', apart)], [near(distance)], limits);
  assert.equal(doubt(apart - limits.margin + 0.01).get('own')!.fits, null);
  assert.equal(doubt(apart - limits.margin - 0.01).get('own')!.fits, 'ben');
});

test('among more people another person has to be nearer', () => {
  const few = doubtLimits(calibration, 100);
  const many = doubtLimits(calibration, 1_000);
  assert.equal(few.fits, calibration.openSet);
  const step = calibration.far1e2 - calibration.far1e3;
  assert.ok(Math.abs(few.fits - many.fits - step) < 1e-9);
  assert.equal(many.same, few.same);
});

test('each of 40 wrong photos among those of 60 people is found, and no right one, with limits and width of either pack', () => {
  for (const { embedder } of [shippedPack, mobileFaceNetPack]) {
    const width = embedder.dimensions;
    const off = embedder.calibration.strict / 2;
    const people = Array.from({ length: 60 }, (_, face) => {
      const right = ['x', 'y', 'z'].map((n) => photo(`${face}${n}`, face, off, width));
      const wrong = face < 40 ? [photo(`${face}wrong`, (face + 7) % 60, off, width)] : [];
      return person(`p${face}`, ...right, ...wrong);
    });
    const found = people.flatMap(({ personId, photos }) => {
      const others = people.filter((one) => one.personId !== personId);
      const its = doubtLimits(embedder.calibration, people.length);
      return [...doubtsOf(photos, others, its)];
    });
    assert.deepEqual(
      found.map(([id, { fits, isAside }]) => [id, fits, isAside]),
      Array.from({ length: 40 }, (_, face) => [`${face}wrong`, `p${(face + 7) % 60}`, true]),
    );
  }
});

test('the order of photos and people changes nothing, and each person keeps at least one photo', () => {
  const someone = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(someone, { minLength: 1, maxLength: 4 }), fc.integer(), (faces, turn) => {
      const people = faces.map((theirs, n) =>
        person(`p${n}`, ...theirs.map((face, i) => photo(`p${n}-${i}`, face))),
      );
      const [first, ...others] = people as [OtherPerson, ...OtherPerson[]];
      const at = Math.abs(turn) % first.photos.length;
      const turned = [...first.photos.slice(at), ...first.photos.slice(0, at)];
      const doubts = doubtsOf(first.photos, others, limits);
      const again = doubtsOf(turned, others.toReversed(), limits);
      const sorted = (all: ReadonlyMap<string, Doubt>) =>
        [...all].toSorted(([a], [b]) => a.localeCompare(b));
      assert.deepEqual(sorted(again), sorted(doubts));
      const aside = doubts.values().filter(({ isAside }) => isAside);
      assert.ok([...aside].length < first.photos.length);
    }),
  );
});
