/**
 * The same people who are enrolled with one photo come by in hard pictures: at dusk, at night by infrared light, in
 * noise, moving fast, with glasses, sunglasses and masks drawn on. What is named, what is refused and why, and
 * whether a name is ever wrong; beside them the film as it is.
 */
import type { PictureFault } from '../../contract/src/problem.ts';
import { Progress } from '../faces/progress.ts';
import { byGrey, darkened, noisy, smeared, type Effect } from './effects.ts';
import { manner, outcomeOf, programme, summed, type Known, type Outcome } from './known.ts';
import { makeFilm } from './make.ts';
import { glasses, mask, sunglasses, wearing, type Worn } from './worn.ts';
import { portraitsOf, type Filmable, type People } from './people.ts';
import { truthAt, type Scene } from './scene.ts';
import type { Shown } from './screening.ts';
import type { Stage } from './stage.ts';
import { whoseFace } from './whose.ts';

interface Condition {
  readonly name: string;
  readonly effects: readonly Effect[];
  readonly worn?: Worn;
}

/** Noise is sigma in levels of grey; a usual sensor by day has 1 to 2, a good one at dusk 6. */
const conditions: readonly Condition[] = [
  { name: 'as it is', effects: [] },
  { name: 'dusk', effects: [darkened(0.35), noisy(5)] },
  { name: 'dark', effects: [darkened(0.15), noisy(5)] },
  { name: 'infrared', effects: [byGrey(), darkened(0.7), noisy(8)] },
  { name: 'noise', effects: [noisy(14)] },
  { name: 'moved 7 px', effects: [smeared(7)] },
  { name: 'moved 15 px', effects: [smeared(15)] },
  { name: 'glasses', effects: [], worn: glasses },
  { name: 'sunglasses', effects: [], worn: sunglasses },
  { name: 'mask', effects: [], worn: mask },
];

export interface Hard {
  readonly name: string;
  readonly known: Known;
  /** Faces of a person there that were found in a picture, and why those that count for nothing do not. */
  readonly faces: number;
  readonly refused: Readonly<Partial<Record<PictureFault, number>>>;
}

export async function hard(stage: Stage, people: People, maxFilms: number): Promise<Hard[]> {
  using progress = new Progress('conditions', conditions.length);
  const results: Hard[] = [];
  for (const condition of conditions) {
    results.push(await under(condition, stage, people, maxFilms));
    progress.step();
  }
  return results;
}

async function under(
  { name, effects, worn }: Condition,
  stage: Stage,
  people: People,
  maxFilms: number,
): Promise<Hard> {
  const portraits = worn ? await wearing(people, worn) : portraitsOf(people);
  const outcomes: Outcome[] = [];
  const refused: Partial<Record<PictureFault, number>> = {};
  let faces = 0;
  const play = async (scene: Scene, photos: readonly Filmable[], gallery: Gallery) => {
    const film = await makeFilm(stage.path('hard.mp4'), scene, portraits, effects);
    const shown = await stage.show(film, gallery);
    outcomes.push(outcomeOf(scene, photos, gallery, shown));
    for (const fault of faultsOf(scene, shown)) {
      faces += 1;
      if (fault !== null) refused[fault] = (refused[fault] ?? 0) + 1;
    }
  };
  const { gallery } = await programme(people, manner, play, { maxFilms });
  return { name, known: summed(outcomes, gallery.length), faces, refused };
}

type Gallery = Parameters<Parameters<typeof programme>[2]>[2];

/** For each face that a person had in a picture, why it counted for nothing; null: it did count. */
function* faultsOf(scene: Scene, { drawn }: Shown): Generator<PictureFault | null> {
  for (const { atMs, faces } of drawn) {
    const truth = truthAt(scene, atMs / 1000);
    for (const { box, fault } of faces) if (whoseFace(truth, box)) yield fault;
  }
}
