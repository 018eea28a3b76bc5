/**
 * A person who stays for a minute, turns away and comes back again and again: how often the log says that they came.
 * Once each as an enrolled person and as a stranger.
 */
import { seeded } from '../faces/chance.ts';
import { Progress } from '../faces/progress.ts';
import { makeFilm } from './make.ts';
import { enrolled, portraitsOf, usable, type Filmable, type People } from './people.ts';
import { shape, type Appearance, type Scene } from './scene.ts';
import type { Enrolled } from './screening.ts';
import type { Stage } from './stage.ts';
import { wasThere } from './whose.ts';

export interface Stay {
  readonly isEnrolled: boolean;
  /** How often they faced the camera. */
  readonly appearances: number;
  readonly visits: number;
  /** Visits that were logged as the right person; for a stranger, visits that were logged as unknown. */
  readonly right: number;
  /** How many people they belong to. */
  readonly people: number;
}

/** Facing the camera, and turned away: shorter than what ends a visit. */
const facesS = 4;
const awayS = 3;

export async function staying(
  stage: Stage,
  people: People,
  count: number,
  appearances = 8,
): Promise<Stay[]> {
  const random = seeded(8);
  const portraits = portraitsOf(people);
  const all = [...people.values()].map(usable).filter((photos) => photos.length >= 2);
  using progress = new Progress('people who stay', 2 * count);
  const stays: Stay[] = [];
  for (const photos of all.slice(0, count)) {
    const scene = sceneOf(photos, appearances, random);
    const film = await makeFilm(stage.path('staying.mp4'), scene, portraits);
    const others = all.filter((it) => it !== photos).map((it) => enrolled(it));
    stays.push(await stayed(stage, scene, film, [...others, enrolled(photos)]));
    progress.step();
    stays.push(await stayed(stage, scene, film, others));
    progress.step();
  }
  return stays;
}

/** The best photo is enrolled, so the second is filmed. */
function sceneOf([, filmed]: readonly Filmable[], count: number, random: () => number): Scene {
  const { who, photo } = filmed!;
  const appearances = Array.from({ length: count }, (_, i): Appearance => {
    const from = 0.5 + i * (facesS + awayS);
    const x = shape.width * (0.35 + 0.3 * random());
    const place = { y: 300, size: 110 + 30 * random() };
    const path = [
      { at: from, x, ...place },
      { at: from + facesS, x: x + 60, ...place },
    ];
    return { who, photo, path, depth: 1 };
  });
  return { name: 'staying', seconds: count * (facesS + awayS) + 1, appearances };
}

async function stayed(
  stage: Stage,
  scene: Scene,
  film: string,
  gallery: readonly Enrolled[],
): Promise<Stay> {
  const [{ who }] = scene.appearances as [Appearance];
  const isEnrolled = gallery.some(({ person }) => person === who);
  const { visits, startMs } = await stage.show(film, gallery);
  const right = visits.filter(
    (visit) => wasThere(scene, visit, startMs) && (visit.person !== null) === isEnrolled,
  );
  return {
    isEnrolled,
    appearances: scene.appearances.length,
    visits: visits.length,
    right: right.length,
    people: new Set(visits.map(({ identityId }) => identityId)).size,
  };
}
