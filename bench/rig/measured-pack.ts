/** The pack that a bench measures: `--pack ID`, one of those that set-up made; else the one that a new installation uses. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
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

const id = typeof values.pack === 'string' ? values.pack : preferredPackId;
const isMade = existsSync(join(modelsDir, id, 'pack.json'));

export const measuredPack: InstalledPack =
  isMade || typeof values.pack === 'string' ? readPack(join(modelsDir, id)) : shipped;
