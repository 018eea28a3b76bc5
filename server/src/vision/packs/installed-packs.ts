/**
 * The packs of this machine: the shipped one, which set-up makes in `models/`, and those that were added, each a
 * folder named after its id in `models/` of the data folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { sha256, sha256OfFile } from './checksum.ts';
import { Calibration, Pack, packKey } from './pack.ts';
import { mobileFaceNetPack } from './mobilefacenet-pack.ts';
import { shippedPack } from './shipped-pack.ts';

/** The folder in which set-up puts the packs it makes. */
export const modelsDir = join(import.meta.dirname, '../../../../models');

/** The packs that set-up makes; one whose package could not be had is not there. */
export const madeAtSetUp: readonly string[] = [shippedPack.id, mobileFaceNetPack.id];

/** The folder of added packs. */
export const addedModelsDir = (dataFolder: string): string => join(dataFolder, 'models');

export interface InstalledPack extends Pack {
  /** The absolute path of the folder with its files. */
  readonly folder: string;
}

/** The pack that this version of Nazar uses where it is installed and nobody chose another (decision 0023). */
export const preferredPackId: string = mobileFaceNetPack.id;

/** The pack that is always there: what is in use where the preferred one is not installed. */
export const shipped: InstalledPack = { ...shippedPack, folder: join(modelsDir, shippedPack.id) };

/**
 * Returns the packs whose description can be read, by folder and then by id; of two with one id the first. It does
 * not check whether their files are whole: `damagedFiles` does, and loading one does.
 */
export function installedPacks(...dirs: readonly string[]): InstalledPack[] {
  const packs = new Map<string, InstalledPack>();
  for (const dir of dirs) {
    for (const id of foldersIn(dir)) {
      const pack = readPackOrNull(join(dir, id));
      if (pack?.id === id && !packs.has(id)) packs.set(id, pack);
    }
  }
  return [...packs.values()].map((pack) => dirs.reduce(calibrated, pack));
}

/** A calibration measured on an installation's own photos, for one version of a pack. */
export const Measured = z.object({ pack: z.string(), calibration: Calibration });
export type Measured = z.infer<typeof Measured>;

/** The file of that calibration: beside the pack, which stays as it was delivered. */
export const measuredPath = (dir: string, id: string): string =>
  join(dir, `${id}.calibration.json`);

/** Returns the pack with the calibration measured here, if there is one for its version. */
function calibrated(pack: InstalledPack, dir: string): InstalledPack {
  const path = measuredPath(dir, pack.id);
  if (!existsSync(path)) return pack;
  const read = Measured.safeParse(jsonOrNull(path));
  if (!read.success || read.data.pack !== packKey(pack)) return pack;
  return { ...pack, embedder: { ...pack.embedder, calibration: read.data.calibration } };
}

/** Throws when there is no pack, or its description makes no sense. */
export function readPack(folder: string): InstalledPack {
  const pack = Pack.parse(JSON.parse(readFileSync(join(folder, 'pack.json'), 'utf8')));
  return { ...pack, folder };
}

/**
 * Returns the path of one network; refuses a file that is not the one the pack was made of. A path, not bytes: ONNX
 * Runtime keeps 22 MiB more when it is given a buffer (153 instead of 131 MiB of a host after the first pictures).
 */
export function networkPath(
  pack: Pick<InstalledPack, 'id' | 'files' | 'folder'>,
  file: string,
): string {
  const entry = pack.files[file];
  if (!entry) throw new Error(`pack ${pack.id} has no file called ${file}`);
  const path = join(pack.folder, entry.path);
  if (!isWhole(path, entry.sha256)) throw new Error(`${entry.path} of ${pack.id} is damaged`);
  return path;
}

/** Returns the names of files that are missing, or differ from what the pack was made of. */
export function damagedFiles({ files, folder }: Pick<InstalledPack, 'files' | 'folder'>): string[] {
  return Object.values(files)
    .filter(({ path, sha256: expected }) => !isWhole(join(folder, path), expected))
    .map(({ path }) => path);
}

/** Returns the pack, if it is installed and each of its files is whole. */
export function wholePack(packs: readonly InstalledPack[], id: string): InstalledPack | null {
  const pack = packs.find((one) => one.id === id);
  return pack && damagedFiles(pack).length === 0 ? pack : null;
}

/** Two hosts with the same fingerprint serve the same pack with the same description. */
export function packFingerprint(pack: InstalledPack): string {
  const words = JSON.stringify({ ...pack, folder: '' });
  return `${packKey(pack)}+${sha256(words).slice(0, 12)}`;
}

export function isWhole(path: string, expected: string): boolean {
  return existsSync(path) && sha256OfFile(path) === expected;
}

function foldersIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

function jsonOrNull(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function readPackOrNull(folder: string): InstalledPack | null {
  try {
    return readPack(folder);
  } catch {
    return null;
  }
}
