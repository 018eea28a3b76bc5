/**
 * The packs of this machine: the shipped one, which set-up makes in `models/`, and those that were added, each a
 * folder named after its id in `models/` of the data folder.
 */
import { readdir, readFile } from 'node:fs/promises';
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

/** The pack that this version of Nazar uses where it is installed and no user chose another (decision 0023). */
export const preferredPackId: string = mobileFaceNetPack.id;

/** The pack that is always there: what is in use where the preferred one is not installed. */
export const shipped: InstalledPack = { ...shippedPack, folder: join(modelsDir, shippedPack.id) };

/**
 * Returns the packs whose description can be read, by folder and then by id; of two with one id the first. It does
 * not check whether their files are whole: `damagedFiles` does, and loading one does.
 */
export async function installedPacks(...dirs: readonly string[]): Promise<InstalledPack[]> {
  const packs = new Map<string, InstalledPack>();
  for (const dir of dirs) {
    for (const id of await foldersIn(dir)) {
      const pack = await readPackOrNull(join(dir, id));
      if (pack?.id === id && !packs.has(id)) packs.set(id, pack);
    }
  }
  return Promise.all([...packs.values()].map((pack) => calibrated(pack, dirs)));
}

/** A calibration measured on an installation's own photos, for one version of a pack. */
export const Measured = z.object({ pack: z.string(), calibration: Calibration });
export type Measured = z.infer<typeof Measured>;

/** The file of that calibration: beside the pack, which stays as it was delivered. */
export const measuredPath = (dir: string, id: string): string =>
  join(dir, `${id}.calibration.json`);

/** Returns the pack with the calibration measured here, if there is one for its version; of two the last. */
async function calibrated(pack: InstalledPack, dirs: readonly string[]): Promise<InstalledPack> {
  let { calibration } = pack.embedder;
  for (const dir of dirs) {
    const read = Measured.safeParse(await jsonOrNull(measuredPath(dir, pack.id)));
    if (read.success && read.data.pack === packKey(pack)) ({ calibration } = read.data);
  }
  return { ...pack, embedder: { ...pack.embedder, calibration } };
}

/** Throws when there is no pack, or its description makes no sense. */
export async function readPack(folder: string): Promise<InstalledPack> {
  const pack = Pack.parse(JSON.parse(await readFile(join(folder, 'pack.json'), 'utf8')));
  return { ...pack, folder };
}

/**
 * Returns the path of one network; refuses a file that is not the one the pack was made of. A path, not bytes: ONNX
 * Runtime keeps 22 MiB more when it is given a buffer (153 instead of 131 MiB of a host after the first pictures).
 */
export async function networkPath(
  pack: Pick<InstalledPack, 'id' | 'files' | 'folder'>,
  file: string,
): Promise<string> {
  const entry = pack.files[file];
  if (!entry) throw new Error(`pack ${pack.id} has no file called ${file}`);
  const path = join(pack.folder, entry.path);
  if (!(await isWhole(path, entry.sha256)))
    throw new Error(`${entry.path} of ${pack.id} is damaged`);
  return path;
}

/** Returns the names of files that are missing, or differ from what the pack was made of. */
export async function damagedFiles({
  files,
  folder,
}: Pick<InstalledPack, 'files' | 'folder'>): Promise<string[]> {
  const damaged: string[] = [];
  for (const { path, sha256: expected } of Object.values(files)) {
    if (!(await isWhole(join(folder, path), expected))) damaged.push(path);
  }
  return damaged;
}

/** Returns the pack, if it is installed and each of its files is whole. */
export async function wholePack(
  packs: readonly InstalledPack[],
  id: string,
): Promise<InstalledPack | null> {
  const pack = packs.find((one) => one.id === id);
  return pack && (await damagedFiles(pack)).length === 0 ? pack : null;
}

/** Two hosts with the same fingerprint serve the same pack with the same description. */
export function packFingerprint(pack: InstalledPack): string {
  const words = JSON.stringify({ ...pack, folder: '' });
  return `${packKey(pack)}+${sha256(words).slice(0, 12)}`;
}

export async function isWhole(path: string, expected: string): Promise<boolean> {
  const hash = await unlessMissing(sha256OfFile(path));
  return hash === expected;
}

async function foldersIn(dir: string): Promise<string[]> {
  const entries = await unlessMissing(readdir(dir, { withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

/** Null: it is not there. */
async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function jsonOrNull(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

const readPackOrNull = (folder: string): Promise<InstalledPack | null> =>
  readPack(folder).catch(() => null);
