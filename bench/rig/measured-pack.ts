/** The pack that a bench measures: `--pack ID`, one of those that set-up made; else what a fresh installation uses. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  installedPacks,
  modelsDir,
  preferredPackId,
  readPack,
  shipped,
  type InstalledPack,
} from '../../server/src/vision/packs/installed-packs.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  // The subject itself knows its other options.
  strict: false,
  options: { pack: { type: 'string' } },
});

const usual = async (): Promise<InstalledPack> =>
  (await installedPacks(modelsDir)).find(({ id }) => id === preferredPackId) ?? shipped;

export const measuredPack: InstalledPack =
  typeof values.pack === 'string' ? await readPack(join(modelsDir, values.pack)) : await usual();
