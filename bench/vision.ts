/**
 * `npm run bench -- vision`: what detection in a picture costs. With `--faces FOLDER`, labelled photos as
 * FOLDER/<set>/<identity>/<photo>, also how well people are recognised, beside two other engines; see faces/run.ts
 * for its options.
 */
import { parseArgs } from 'node:util';
import { isPart, parts, runFaces } from './faces/run.ts';
import { detectionCost } from './rig/detection-cost.ts';

const list = (value?: string): string[] | undefined => value?.split(',').filter(Boolean);

const { values } = parseArgs({
  args: process.argv.slice(3),
  allowNegative: true,
  options: {
    faces: { type: 'string' },
    json: { type: 'string' },
    /** Read by rig/measured-pack.ts. */
    pack: { type: 'string' },
    /** TAR over FAR of all engines, drawn into this file. */
    svg: { type: 'string' },
    /** Only these sets of the folder. */
    sets: { type: 'string' },
    /** Only these parts of the figures. */
    only: { type: 'string' },
    peers: { type: 'boolean', default: true },
  },
});

if (values.faces === undefined) {
  await detectionCost();
} else {
  const { faces: folder, json, svg, peers } = values;
  const only = list(values.only) ?? parts;
  if (!only.every(isPart)) throw new Error(`--only takes some of ${parts.join(', ')}`);
  await runFaces({ folder, sets: list(values.sets), only, peers, json, svg });
}
