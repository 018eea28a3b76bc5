/** Where set-up leaves what the demo camera needs, and whether it did. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export interface DemoFiles {
  readonly folder: string;
  readonly film: string;
  /** One photo of each person to enrol. */
  readonly photos: readonly string[];
}

/** Made from the sample photos in node_modules: never part of the project itself. */
export const demoFolder = join(import.meta.dirname, '../../../models/demo');
/** What they were made from, as a hash. */
export const stampName = 'made-from';
const people = 3;

export function demoFiles(folder: string = demoFolder): DemoFiles {
  const photos = Array.from({ length: people }, (_, i) => join(folder, `person-${i + 1}.jpg`));
  return { folder, film: join(folder, 'film.mp4'), photos };
}

/** The files; null where set-up could not make them. */
export function findDemo(folder: string = demoFolder): DemoFiles | null {
  return existsSync(join(folder, stampName)) ? demoFiles(folder) : null;
}
