/**
 * A gallery of made-up people and searches in it: the vectors of one lie 0.45 apart (those of two 1.4), as
 * far as photos of one person do, five to a person.
 */
import { Gallery, type Reference } from '../../server/src/faces/gallery/gallery.ts';
import { squaredDistance, type Nearest } from '../../server/src/faces/gallery/rows.ts';

const photosEach = 5;
const pack = 'bench@1';

/** A vector of length 1 in a random direction (the sum of three uniform numbers is close enough to a normal one). */
function direction(dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  let squared = 0;
  for (let i = 0; i < dimensions; i += 1) {
    const value = Math.random() + Math.random() + Math.random() - 1.5;
    vector[i] = value;
    squared += value * value;
  }
  return scaled(vector, 1 / Math.sqrt(squared));
}

/** Another photo of a person: two of one person are `apart` from each other. */
function photoOf(face: Float32Array, apart = 0.45): Float32Array {
  const photo = scaled(direction(face.length), apart / Math.SQRT2);
  for (let i = 0; i < face.length; i += 1) photo[i]! += face[i]!;
  return photo;
}

function scaled(vector: Float32Array, factor: number): Float32Array {
  for (let i = 0; i < vector.length; i += 1) vector[i]! *= factor;
  return vector;
}

interface Cost {
  readonly wallMs: number[];
  readonly cpuMs: number;
}

function costOf(rounds: number, once: (round: number) => unknown): Cost {
  for (let round = 0; round < rounds / 4; round += 1) once(round);
  const wallMs: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    once(round);
    wallMs.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1000 / rounds };
}

/** Half of the probes are of people in the gallery, half of strangers. */
const aProbe = (faces: readonly Float32Array[], n: number): Float32Array =>
  n % 2 === 0 ? photoOf(faces[(n * 7919) % faces.length]!) : direction(faces[0]!.length);

/** The loop that ours is compared with: every distance computed, the nearest of each person kept, the two best. */
class PlainLoop {
  readonly #dimensions: number;
  readonly #numbers: Float32Array;
  readonly #nearest: Float64Array;

  constructor(size: number, dimensions: number) {
    this.#dimensions = dimensions;
    this.#numbers = new Float32Array(size * dimensions);
    this.#nearest = new Float64Array(size / photosEach);
  }

  set(row: number, vector: Float32Array): void {
    this.#numbers.set(vector, row * this.#dimensions);
  }

  nearest(probe: Float32Array): { person: number; distance: number }[] {
    const nearest = this.#nearest.fill(Infinity);
    for (let row = 0; row < nearest.length * photosEach; row += 1) {
      const squared = squaredDistance(probe, this.#numbers, row * this.#dimensions);
      const person = Math.floor(row / photosEach);
      if (squared < nearest[person]!) nearest[person] = squared;
    }
    let [first, second] = [0, 1];
    nearest.forEach((squared, person) => {
      if (squared < nearest[first]!) [first, second] = [person, first];
      else if (person !== first && squared < nearest[second]!) second = person;
    });
    return [first, second].map((person) => ({ person, distance: Math.sqrt(nearest[person]!) }));
  }
}

/** Ours and the plain loop on as many vectors, which must find the same. */
export function measureSearch(size: number, dimensions: number) {
  const gallery = new Gallery();
  const plain = new PlainLoop(size, dimensions);
  const faces = Array.from({ length: size / photosEach }, () => direction(dimensions));
  faces.forEach((face, person) => {
    const vectors = Array.from({ length: photosEach }, () => photoOf(face));
    gallery.replace(nameOf(person), referencesOf(vectors));
    vectors.forEach((vector, i) => plain.set(person * photosEach + i, vector));
  });
  const probes = Array.from({ length: 20 }, (_, n) => aProbe(faces, n));
  for (const probe of probes) mustBeSame(gallery.nearest(probe, pack, 2), plain.nearest(probe));
  const rounds = Math.max(20, Math.min(2_000, 4_000_000 / size));
  const ours = costOf(rounds, (round) => gallery.nearest(probes[round % 20]!, pack, 2));
  const loop = costOf(Math.max(5, rounds / 10), (round) => plain.nearest(probes[round % 20]!));
  const others = faces.slice(0, 100).map((face) => referencesOf([photoOf(face)]));
  const replaced = costOf(others.length, (n) => gallery.replace(nameOf(n), others[n]!));
  return { size, dimensions, ours, loop, replaced, bytes: gallery.bytes / size };
}

const nameOf = (person: number): string => `person-${person}`;
const referencesOf = (vectors: readonly Float32Array[]): Reference[] =>
  vectors.map((vector) => ({ pack, vector }));

/** Figures of a search that finds something else are worth nothing. */
function mustBeSame(
  found: readonly Nearest[],
  expected: readonly { person: number; distance: number }[],
): void {
  const text = found.map(({ identityId, distance }) => `${identityId} ${distance.toFixed(6)}`);
  const right = expected.map(({ person, distance }) => `${nameOf(person)} ${distance.toFixed(6)}`);
  if (text.join() !== right.join()) throw new Error(`found ${text.join()}, not ${right.join()}`);
}
