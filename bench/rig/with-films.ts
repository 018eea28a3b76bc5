import { filmMissing } from '../../e2e/film.ts';

/** Measures, or reports that nothing was measured and why: there is nothing to make films of. */
export async function withFilms(measure: () => Promise<void>): Promise<void> {
  if (filmMissing === null) return await measure();
  console.error(`nothing was measured: ${filmMissing}`);
  process.exitCode = 1;
}
