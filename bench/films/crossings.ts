/**
 * People with real faces who walk past each other, hide each other, turn back, leave and come back: how often track
 * numbers pass from one to another, and whether a name ever does.
 */
import { seeded, shuffled } from '../faces/chance.ts';
import { Progress } from '../faces/progress.ts';
import { makeFilm } from './make.ts';
import { OverlapTracker } from './overlap.ts';
import { enrolled, portraitsOf, usable, type Filmable, type People } from './people.ts';
import { truthAt, type Appearance, type Scene, type Stop } from './scene.ts';
import type { Shown } from './screening.ts';
import type { Stage } from './stage.ts';
import { judgeTracking, type Tracking } from './tracking.ts';
import { inPixels, wasThere, whoseFace } from './whose.ts';

export interface Crossing {
  readonly kind: string;
  readonly ours: Tracking;
  readonly overlap: Tracking;
  /** Boxes that bore a name, and those that bore another person's name. */
  readonly names: number;
  readonly wrongNames: number;
  /** People in view, rows of the log, and rows of people who were not there. */
  readonly people: number;
  readonly visits: number;
  readonly wrongVisits: number;
}

type Walk = readonly (readonly [at: number, x: number, size: number])[];

/** Where the people of a film walk, the one in front last. Faces are 90 to 150 px wide. */
const kinds: Readonly<Record<string, readonly Walk[]>> = {
  'walk past each other': [
    [
      [0, -80, 100],
      [7, 1360, 100],
    ],
    [
      [0.5, 1380, 130],
      [7, -100, 130],
    ],
  ],
  'meet and turn back': [
    [
      [0, -80, 110],
      [3, 560, 110],
      [3.4, 560, 110],
      [7, -80, 110],
    ],
    [
      [0, 1360, 120],
      [3, 680, 120],
      [3.4, 680, 120],
      [7, 1360, 120],
    ],
  ],
  'one passes behind the other': [
    [
      [0, -80, 90],
      [6, 1360, 90],
    ],
    [
      [0, 640, 140],
      [6, 660, 140],
    ],
  ],
  'hidden for a second': [
    [
      [0, 600, 100],
      [8, 620, 100],
    ],
    [
      [0, 1400, 140],
      [3, 620, 140],
      [3.6, 600, 140],
      [7, -120, 140],
    ],
  ],
  'hidden for three seconds': [
    [
      [0, 600, 100],
      [9, 620, 100],
    ],
    [
      [0, 1400, 140],
      [2.5, 620, 140],
      [5.5, 600, 140],
      [9, -120, 140],
    ],
  ],
  'one overtakes the other': [
    [
      [0, -80, 100],
      [9, 1360, 100],
    ],
    [
      [2, -100, 130],
      [6.5, 1380, 130],
    ],
  ],
  'one takes the place of the other': [
    [
      [0, 640, 110],
      [3, 640, 110],
      [5, 1400, 110],
    ],
    [
      [1.5, -100, 120],
      [4.2, 630, 120],
      [9, 650, 120],
    ],
  ],
  'leave and come back': [
    [
      [0, 300, 110],
      [3, 1400, 110],
    ],
    [
      [0.5, 700, 120],
      [3.5, -100, 120],
    ],
    [
      [6, 1400, 110],
      [9.5, 200, 110],
    ],
    [
      [6.5, -100, 120],
      [9.5, 800, 120],
    ],
  ],
  'three meet': [
    [
      [0, -80, 90],
      [7, 1360, 100],
    ],
    [
      [0.4, 1380, 120],
      [7, -100, 120],
    ],
    [
      [0.8, -100, 145],
      [3.4, 640, 145],
      [6, -100, 145],
    ],
  ],
};
export const crossingKinds = Object.keys(kinds);

/** In this kind of film the third to come into view is the first again, the fourth the second. */
const returning = 'leave and come back';

/** Films of each kind with other people each time, the same in every run. */
export async function crossings(
  stage: Stage,
  people: People,
  filmsEach: number,
  only: readonly string[] = crossingKinds,
): Promise<Crossing[]> {
  const actors = [...people.values()].map(usable).filter((photos) => photos.length >= 2);
  const portraits = portraitsOf(people);
  const random = seeded(41);
  const results: Crossing[] = [];
  using progress = new Progress('crossings', only.length * filmsEach);
  for (const kind of only) {
    for (let i = 0; i < filmsEach; i++) {
      const count = kind === returning ? 2 : kinds[kind]!.length;
      const cast = shuffled(actors, random).slice(0, count);
      const scene = sceneOf(kind, cast, random);
      const film = await makeFilm(stage.path(`crossing-${results.length}.mp4`), scene, portraits);
      // In every second film the last of them is a stranger.
      const stranger = i % 2 === 1 ? cast.at(-1)![0]!.who : null;
      const known = actors.filter(([first]) => first!.who !== stranger);
      const shown = await stage.show(
        film,
        known.map((photos) => enrolled(photos)),
      );
      results.push({ kind, ...judged(scene, shown) });
      progress.step();
    }
  }
  return results;
}

/** The best photo of each is enrolled, so another one is filmed. */
function sceneOf(name: string, cast: readonly Filmable[][], random: () => number): Scene {
  const walks = kinds[name]!;
  const appearances = walks.map((walk, i): Appearance => {
    const photos = cast[i % cast.length]!;
    const { who, photo } = photos[1 + (Math.floor(i / cast.length) % (photos.length - 1))]!;
    const y = 280 + 40 * random();
    const path = walk.map(([at, x, size]): Stop => ({ at, x, y, size }));
    // Nearer people are larger.
    return { who, photo, path, depth: walk[0]![2] };
  });
  const seconds = Math.max(...appearances.flatMap(({ path }) => path.map(({ at }) => at))) + 1;
  return { name, seconds, appearances };
}

function judged(scene: Scene, { drawn, visits, startMs }: Shown): Omit<Crossing, 'kind'> {
  const overlap = new OverlapTracker();
  const pictures = drawn.map(({ atMs, boxes, faces }) => {
    const truth = truthAt(scene, atMs / 1000);
    return {
      truth,
      ours: boxes.map((box) => ({ id: box.track_id, box: inPixels(box) })),
      overlap: overlap.update(atMs, faces),
      named: boxes.filter(({ name }) => name !== null),
    };
  });
  const names = pictures.flatMap(({ truth, named }) =>
    named.map((box) => whoseFace(truth, inPixels(box))?.who === box.name),
  );
  return {
    ours: judgeTracking(pictures.map(({ truth, ours: boxes }) => ({ truth, boxes }))),
    overlap: judgeTracking(pictures.map(({ truth, overlap: boxes }) => ({ truth, boxes }))),
    names: names.length,
    wrongNames: names.filter((isRight) => !isRight).length,
    people: new Set(scene.appearances.map(({ who }) => who)).size,
    visits: visits.length,
    wrongVisits: visits.filter((visit) => !wasThere(scene, visit, startMs)).length,
  };
}
