/** Writes scenes as films. */
import { writeFilm } from '../../server/src/media/film/film.ts';
import { Painter, type Portrait } from './paint.ts';
import { shape, type Scene } from './scene.ts';

export async function makeFilm(
  path: string,
  scene: Scene,
  portraits: ReadonlyMap<string, Portrait>,
): Promise<string> {
  const painter = await Painter.prepare(scene, portraits);
  await writeFilm(path, shape, painter.pictures());
  return path;
}
