/**
 * `npm run models -- calibrate`: limits of a pack from an installation's own photos. The pack stays as it was
 * delivered; what was measured lies beside it and takes effect when Nazar starts next. Vectors are the same
 * as before, so its version is, too.
 */
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { linesShown, shown, type TerminalText } from '#lib/terminal/terminal-text.ts';
import {
  calibrationOf,
  interval,
  minGenuinePairs,
  minImpostorPairs,
  partBelow,
  type Pairs,
} from '#vision/packs/calibration.ts';
import { Engine } from '#vision/engine.ts';
import { measuredPath, type InstalledPack, type Measured } from '#vision/packs/installed-packs.ts';
import { readLabelled } from '#vision/packs/labelled.ts';
import { packKey, type Calibration } from '#vision/packs/pack.ts';

/** `dir`: where added packs lie. Returns the exit code. */
export async function calibrate(pack: InstalledPack, folder: string, dir: string): Promise<number> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Refusal(`There is no folder ${folder}.`);
  }
  await using engine = await Engine.load(pack);
  const { photos, faces, people, pairs } = await readLabelled(engine, folder, (seen) => {
    if (seen % 50 === 0) complain(shown`${seen} photos\n`);
  });
  const { genuine, impostor } = pairs;
  print(shown`${photos} photos, ${faces} with a face that serves, of ${people} people:
${genuine.length} pairs of one person, ${impostor.length} of two.\n`);
  if (genuine.length < minGenuinePairs || impostor.length < minImpostorPairs) {
    throw new Refusal(
      `Too few: ${minGenuinePairs} pairs of one person and ${minImpostorPairs} of two are needed, e.g. 3 photos each of 30 people.`,
    );
  }
  const calibration = calibrationOf(pairs);
  print(report(calibration, pairs));
  const path = measuredPath(dir, pack.id);
  write(path, { pack: packKey(pack), calibration });
  print(
    shown`Written to ${path}; it counts from the next start of Nazar. To go back to what the pack came with, remove it.\n`,
  );
  return 0;
}

const percent = (part: number): string => `${(part * 100).toFixed(2)} %`;

/** What part of them is nearer. */
function share(distances: readonly number[], limit: number): string {
  const part = partBelow(distances, limit);
  const [low, high] = interval(part, distances.length);
  return `${percent(part)} (${percent(low)} to ${percent(high)})`.padEnd(32);
}

/** Each limit with what passes it, and the 95 % interval of that. */
function report(calibration: Calibration, { genuine, impostor }: Pairs): TerminalText {
  const limits = ['far1e2', 'far1e3', 'openSet', 'strict'] as const;
  const rows = limits.map((name) => {
    const limit = calibration[name];
    return `${name.padEnd(8)}  ${limit.toFixed(3)}     ${share(genuine, limit)}${share(impostor, limit)}`;
  });
  const { margin, split, logistic } = calibration;
  return linesShown(`limit     distance  ${'one person, nearer'.padEnd(32)}two people, nearer
${rows.map((row) => row.trimEnd()).join('\n')}
margin ${margin}, split ${split}, logistic ${logistic.map((value) => value.toFixed(2)).join(', ')}
Pairs share photos and people: the intervals are narrower than they should be.\n`);
}

/** Under another name first: what is read is never half of it. */
function write(path: string, measured: Measured): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(unfinished, `${JSON.stringify(measured, null, 2)}\n`, { flush: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
