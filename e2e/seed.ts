/**
 * Made once for a run of all files: the data folder of a stopped installation with its administrator, of which each
 * file gets a copy. An installation begins in 7 s and makes its administrator in 2; a copy begins in 3 (measured
 * without other work).
 */
import { rmSync } from 'node:fs';
import { Installation } from './installation.ts';

export default async function makeSeed(): Promise<() => void> {
  const seed = await Installation.create();
  await seed.start();
  seed.createAdministrator();
  await seed.stop();
  process.env['NAZAR_E2E_SEED'] = seed.folder;
  return () => rmSync(seed.folder, { recursive: true, force: true });
}
