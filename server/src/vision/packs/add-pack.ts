/**
 * Installs a pack from a folder that an administrator names. Nothing in it is trusted: sizes are bounded, no path
 * leaves the folder, links are not followed, hashes must match, and its networks must run before the pack lies among
 * the installed ones. A refusal is a sentence for the administrator.
 */
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import type { FaceCropPixels } from '../detector/find-faces.ts';
import { Engine } from '../engine.ts';
import { isWhole, readPack, type InstalledPack } from './installed-packs.ts';
import { Pack } from './pack.ts';

const MiB = 1024 * 1024;
const maxDescriptionBytes = MiB;
const maxFileBytes = 512 * MiB;
const maxFiles = 32;

/** `installed`: those that are there already. Throws Refusals. */
export async function addPack(
  folder: string,
  dir: string,
  installed: readonly InstalledPack[],
): Promise<InstalledPack> {
  const { pack, text } = readDescription(folder);
  const same = installed.find(({ id }) => id === pack.id);
  if (same) {
    throw new Refusal(
      `${pack.id} ${same.version} is installed already; give the new one another id.`,
    );
  }
  checkFiles(folder, pack);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const unfinished = join(dir, `.${pack.id}.${process.pid}`);
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    for (const { path } of Object.values(pack.files)) {
      copyFileSync(join(folder, path), join(unfinished, path));
    }
    writeFileSync(join(unfinished, 'pack.json'), text, { flush: true });
    // The copies are checked, not their originals, which may have changed meanwhile.
    const copy = await readPack(unfinished);
    await checkHashes(copy);
    await tryOut(copy);
    renameSync(unfinished, join(dir, pack.id));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return await readPack(join(dir, pack.id));
}

function readDescription(folder: string): { pack: Pack; text: string } {
  const path = join(folder, 'pack.json');
  const bytes = sizeOf(path);
  if (bytes === null) throw new Refusal(`There is no pack.json in ${folder}.`);
  if (bytes > maxDescriptionBytes) throw new Refusal('pack.json is larger than 1 MB.');
  const text = readFileSync(path, 'utf8');
  const read = Pack.safeParse(parsed(text));
  if (read.success) return { pack: read.data, text };
  const faults = read.error.issues.map(({ path: at, message }) => `  ${at.join('.')}: ${message}`);
  throw new Refusal(`pack.json does not describe a pack:\n${faults.join('\n')}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('pack.json is not JSON.');
  }
}

function checkFiles(folder: string, { files }: Pack): void {
  const paths = Object.values(files).map(({ path }) => path);
  if (paths.length > maxFiles) throw new Refusal(`A pack has at most ${maxFiles} files.`);
  for (const path of paths) {
    const bytes = sizeOf(join(folder, path));
    if (bytes === null) throw new Refusal(`${path} is not a file in ${folder}.`);
    if (bytes > maxFileBytes) throw new Refusal(`${path} is larger than 512 MB.`);
  }
}

async function checkHashes({ files, folder }: InstalledPack): Promise<void> {
  for (const { path, sha256 } of Object.values(files)) {
    if (!(await isWhole(join(folder, path), sha256))) {
      throw new Refusal(
        `${path} is not the file that pack.json was written for (its sha256 differs).`,
      );
    }
  }
}

/** Null: there is no file, or it is a link. */
function sizeOf(path: string): number | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : null;
}

/** A crop that shows nothing: what detects alone is asked about it. */
const grey = { x: 0, y: 0, width: 96, height: 96 };
const doubtful: FaceCropPixels = {
  part: grey,
  box: { x: 32, y: 32, width: 32, height: 32 },
  score: 0.5,
  points: null,
  doubtful: true,
  width: grey.width,
  height: grey.height,
  detail: 1,
  rgb: new Uint8Array(grey.width * grey.height * 3).fill(128),
};

/** Checks that every network answers as the description says. */
async function tryOut(pack: InstalledPack): Promise<void> {
  try {
    await using engine = await Engine.load(pack);
    for (const { width, height } of pack.detector.inputs) {
      const part = { x: 0, y: 0, width, height };
      const rgb = new Uint8Array(width * height * 3).fill(128);
      await engine.find([{ part, nearest: true, afar: false, width, height, rgb }]);
    }
    await engine.describe([doubtful]);
    await engine.embed(new Uint8Array(engine.chipBytes).fill(128), 1);
    const { side } = pack.embedder;
    const chip = { width: side, height: side, rgb: new Uint8Array(engine.chipBytes).fill(128) };
    await engine.reembed(chip, engine.template.five);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(`Its networks do not answer as pack.json says: ${reason}`, { cause: error });
  }
}
