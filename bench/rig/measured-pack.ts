/** The pack that a bench measures: `--pack ID`, one of those that set-up made; else the shipped one. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  modelsDir,
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

export const measuredPack: InstalledPack =
  typeof values.pack === 'string' ? readPack(join(modelsDir, values.pack)) : shipped;
