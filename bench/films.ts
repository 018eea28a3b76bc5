/**
 * `npm run bench -- films --faces FOLDER`: films of people with real faces, made of labelled photos as
 * FOLDER/<set>/<identity>/<photo>, through decoder, vision host, tracks, votes and visits. `--only` takes some of
 * crossings, strangers, known, three, staying, sub, hard. Nothing that is made of the photos outlives the run.
 */
import { parseArgs } from 'node:util';
import { isProgramme, programmes, runFilms } from './films/run.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    faces: { type: 'string' },
    json: { type: 'string' },
    /** Read by rig/measured-pack.ts. */
    pack: { type: 'string' },
    only: { type: 'string' },
    /** Minutes of the film of strangers. */
    minutes: { type: 'string', default: '20' },
    /** The seed of the film of strangers: another number makes another film. */
    seed: { type: 'string', default: '20' },
    /** Crossings of each kind, people before a camera with two streams at each distance, and in hard pictures each. */
    films: { type: 'string', default: '8' },
  },
});

const only = values.only?.split(',').filter(Boolean) ?? programmes;
if (values.faces === undefined || !only.every(isProgramme)) {
  console.error(`npm run bench -- films --faces FOLDER [--only ${programmes.join(',')}]`);
  process.exitCode = 1;
} else {
  const { faces: folder, json } = values;
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  await runFilms({ folder, only, json, minutes, seed, filmsEach: Number(values.films) });
}
