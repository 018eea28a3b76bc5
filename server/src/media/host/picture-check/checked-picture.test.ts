/** Pictures of cameras as they are drawn here, with the noise of a sensor. Time is that of the samples: one in 4 s. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CheckedPicture } from './checked-picture.ts';

const [width, height] = [160, 90];
const everyMs = 4_000;
const minutes = 60 / 4;
type Picture = Float64Array;
/** The picture of a sample, by its number. */
type Film = (sample: number) => Picture;

/** The same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function drawn(paint: (x: number, y: number) => number): Picture {
  return Float64Array.from({ length: width * height }, (_, pixel) =>
    paint(pixel % width, Math.floor(pixel / width)),
  );
}

/** Normal numbers, of which each sample takes a part: drawing them anew would take most of the test's time. */
const noise = (() => {
  const next = random(3);
  const normal = (): number => (next() + next() + next() + next() - 2) * Math.sqrt(3);
  return Float64Array.from({ length: 1 << 18 }, normal);
})();

/** As a sensor sees it: with noise, from black to white. `sigma`: grey levels. */
function sensed(picture: Picture, sigma: number, next: () => number): Uint8Array {
  const seen = new Uint8ClampedArray(picture.length);
  const from = Math.floor(next() * (noise.length - picture.length));
  for (let pixel = 0; pixel < picture.length; pixel++) {
    seen[pixel] = picture[pixel]! + sigma * noise[from + pixel]!;
  }
  return new Uint8Array(seen.buffer);
}

/** A room: unevenly lit, with shelves and frames. */
const room = drawn((x, y) => {
  const light = 110 + 25 * Math.sin(x / 30) * Math.cos(y / 25);
  const shelf = (Math.floor(x / 11) + Math.floor(y / 9)) % 3 === 0 ? 45 : 0;
  return light + shelf - ((x * 7 + y * 3) % 41 < 3 ? 25 : 0);
});
const other = drawn((x, y) => 130 + ((Math.floor(x / 7) + Math.floor(y / 13)) % 2) * 40);
const grey = drawn(() => 90);
/** A cover that the camera's own infrared lights. */
const litCover = drawn(
  (x, y) => 70 + 130 * Math.exp(-(((x - 80) / 50) ** 2 + ((y - 45) / 35) ** 2)),
);
const black = drawn(() => 4);
const wall = drawn((x) => 120 + x / 4);

const still =
  (picture: Picture): Film =>
  () =>
    picture;
/** A clock in a corner, as cameras write it, over 1.7 % of the picture. */
const withClock =
  (film: Film): Film =>
  (sample) => {
    const picture = film(sample).slice();
    for (let y = 3; y < 8; y++) {
      for (let x = 104; x < 152; x++)
        picture[y * width + x] = (x * (sample + 3) + y) % 5 < 2 ? 235 : 20;
    }
    return picture;
  };
const changed = (picture: Picture, by: (value: number, x: number, y: number) => number): Picture =>
  picture.map((value, pixel) => by(value, pixel % width, Math.floor(pixel / width)));

/** One camera, checked. */
class Camera {
  readonly #checked = new CheckedPicture({ width, height });
  readonly #next: () => number;
  readonly #said: string[] = [];
  #sample = 0;
  #ms = 0;
  #last: Uint8Array | null = null;

  constructor(seed: number) {
    this.#next = random(seed);
  }

  /** Each thing that was found, in its order. */
  get said(): readonly string[] {
    return this.#said;
  }

  get found() {
    return this.#checked.found;
  }

  /** `repeats`: so many samples show the same, as of an encoder that saves bits. */
  play(film: Film, forMinutes: number, sigma: number, repeats = 1): this {
    for (let sample = 0; sample < forMinutes * minutes; sample++) {
      if (!this.#last || sample % repeats === 0) {
        this.#last = sensed(film(this.#sample), sigma, this.#next);
      }
      this.#push(this.#last);
    }
    return this;
  }

  /** The last picture again and again. */
  freeze(forMinutes: number, over: (film: Film) => Film = (film) => film): this {
    const last = Float64Array.from(this.#last!);
    return this.play(over(still(last)), forMinutes, 0);
  }

  /** Nothing comes for so long. */
  away(forMs: number): this {
    this.#ms += forMs;
    this.#checked.interrupt();
    return this;
  }

  #push(picture: Uint8Array): void {
    const before = this.#checked.found;
    this.#sample += 1;
    this.#ms += everyMs;
    this.#checked.push(picture, this.#ms);
    const { frozen, covered } = this.#checked.found;
    if (frozen !== before.frozen) this.#said.push(`frozen ${frozen}`);
    if (covered !== before.covered) this.#said.push(`covered ${covered}`);
  }
}

/** A camera that is known to be fine. */
const aFine = (seed = 1): Camera => {
  const camera = new Camera(seed).play(still(room), 5, 2);
  assert.deepEqual(camera.found, { frozen: false, covered: false });
  return camera;
};
/** What was found after it was known to be fine. */
const since = (camera: Camera): readonly string[] => camera.said.slice(2);

/** Drawn with numbers of its own, so that no two samples are alike. */
const rain: Film = (sample) => {
  const next = random(sample + 7);
  const picture = changed(room, (value) => 120 + (value - 120) * 0.7);
  for (let drop = 0; drop < 250; drop++) {
    const [x, y] = [Math.floor(next() * width), Math.floor(next() * (height - 6))];
    for (let row = 0; row < 6; row++) picture[(y + row) * width + x]! += 50;
  }
  return picture;
};
const crowd: Film = (sample) => {
  const next = random(sample + 11);
  const picture = room.slice();
  for (let person = 0; person < 25; person++) {
    const [left, top] = [Math.floor(next() * 145), Math.floor(next() * 60)];
    const shade = 30 + next() * 180;
    for (let y = top; y < top + 30; y++)
      picture.fill(shade, y * width + left, y * width + left + 15);
  }
  return picture;
};
const headlights: Film = (sample) => {
  const at = (sample % 40) * 4;
  return changed(
    room,
    (value, x, y) => value + 400 * Math.exp(-(((x - at) / 30) ** 2 + ((y - 50) / 30) ** 2)),
  );
};
const clouds: Film = (sample) => changed(room, (value) => value + 35 * Math.sin(sample / 20));
const fog = changed(room, (value, _x, y) => 150 + (value - 150) * (0.1 + (0.5 * y) / height));
const unlit = changed(room, (value) => value * 0.06);
const dim = changed(room, (value) => 12 + value * 0.25);
const infrared = changed(room, (value, x, y) => {
  const lamp = Math.exp(-(((x - 80) / 70) ** 2 + ((y - 45) / 45) ** 2));
  return 25 + (value - 60) * 0.9 * lamp;
});
/** A back before half of what the camera sees. */
const half = changed(room, (value, x) => (x < 90 ? 95 : value));

const nothing: readonly [string, Film, number, number?][] = [
  ['an hour of a still room', still(room), 1],
  ['an hour of a still room with little noise', still(room), 0.4],
  ['an hour of an encoder that repeats the picture for 20 s', still(room), 0.4, 5],
  ['an hour of an encoder that repeats the picture for two minutes', still(room), 0.4, 30],
  ['lights that are switched off', still(unlit), 1],
  ['lights that are switched off, with all pixels black', still(black), 0],
  ['little light', still(dim), 6],
  ['infrared at dusk', still(infrared), 5],
  ['headlights', headlights, 3],
  ['rain', rain, 3],
  ['fog', still(fog), 2],
  ['clouds', clouds, 2],
  ['a crowd', crowd, 2],
  ['a van before half of the picture', still(half), 2],
  ['a camera that writes its clock', withClock(still(room)), 1],
];

for (const [name, film, sigma, repeats = 1] of nothing) {
  test(`${name}: nothing is found, nor is it when the light is back`, () => {
    const camera = aFine()
      .play(film, name.startsWith('an hour') ? 60 : 20, sigma, repeats)
      .play(still(room), 10, 2);
    assert.deepEqual(since(camera), []);
  });
}

test('a picture that is repeated is frozen after ten minutes, and moving again at once', () => {
  const [camera, beside] = [aFine(), aFine(2)];
  assert.deepEqual(since(camera.freeze(9.5)), []);
  assert.deepEqual(since(camera.freeze(1)), ['frozen true']);
  camera.play(still(room), 0.3, 1);
  assert.deepEqual(since(camera), ['frozen true', 'frozen false']);
  assert.deepEqual(since(camera.play(still(room), 30, 1)), ['frozen true', 'frozen false']);
  assert.deepEqual(since(beside.play(still(room), 5, 1)), [], 'the other camera is fine');
});

test('a frozen picture with a clock that goes on is frozen', () => {
  assert.deepEqual(since(aFine().freeze(12, withClock)), ['frozen true']);
});

test('a repeated picture that jumps to another one is still frozen', () => {
  const camera = aFine().freeze(12).play(still(other), 1, 0).freeze(1);
  assert.deepEqual(since(camera), ['frozen true']);
});

test('of a dark or an empty picture nothing is said, however long it is the same', () => {
  for (const picture of [black, wall, drawn(() => 250)]) {
    const camera = new Camera(1).play(still(picture), 20, 0);
    assert.deepEqual(camera.found, { frozen: null, covered: null });
  }
});

const covers: readonly [string, Film, number][] = [
  ['a grey card', still(grey), 4],
  ['a grey card without noise', still(grey), 0.3],
  ['a card in poor light', still(drawn(() => 48)), 9],
  ['a cover that infrared lights', still(litCover), 3],
  ['paint, with the clock of the camera over it', withClock(still(wall)), 2],
];

for (const [name, film, sigma] of covers) {
  test(`${name}: covered within five minutes, and uncovered once`, () => {
    const [camera, beside] = [aFine(), aFine(2)];
    assert.deepEqual(since(camera.play(film, 1.5, sigma)), [], 'not at once');
    assert.deepEqual(since(camera.play(film, 3.5, sigma)), ['covered true']);
    assert.deepEqual(since(camera.play(film, 20, sigma)), ['covered true'], 'once');
    assert.deepEqual(since(camera.play(still(room), 3, 2)), ['covered true', 'covered false']);
    assert.equal(since(camera.play(still(room), 20, 2)).length, 2);
    assert.deepEqual(since(beside.play(still(room), 5, 2)), [], 'the other camera is fine');
  });
}

test('what is before the lens for two minutes is no cover', () => {
  assert.deepEqual(since(aFine().play(still(grey), 2, 3).play(still(room), 10, 2)), []);
});

test('a covered camera in the dark is still covered', () => {
  const camera = aFine().play(still(grey), 5, 3).play(still(black), 20, 1).play(still(grey), 5, 3);
  assert.deepEqual(since(camera), ['covered true']);
});

test('a camera that shows something else when it is uncovered is not covered', () => {
  const camera = aFine().play(still(grey), 5, 3).play(still(other), 5, 2);
  assert.deepEqual(since(camera), ['covered true', 'covered false']);
  assert.deepEqual(since(camera.play(still(grey), 5, 3)).slice(2), ['covered true']);
});

test('time that was not seen raises nothing and ends nothing', () => {
  const frozen = aFine().freeze(9).away(3_600_000).freeze(9);
  assert.deepEqual(since(frozen), []);
  assert.deepEqual(since(frozen.freeze(2).away(3_600_000).freeze(5)), ['frozen true']);
  const covered = aFine().play(still(grey), 1.7, 3).away(3_600_000).play(still(grey), 1.7, 3);
  assert.deepEqual(since(covered), []);
  covered.play(still(grey), 4, 3).away(3_600_000).play(still(grey), 4, 3);
  assert.deepEqual(since(covered), ['covered true']);
});

test('a check that begins with a covered camera says nothing until there is something to see', () => {
  const camera = new Camera(1).play(still(grey), 20, 3);
  assert.deepEqual(camera.found, { frozen: false, covered: null });
  assert.equal(camera.play(still(room), 5, 2).found.covered, false);
});
