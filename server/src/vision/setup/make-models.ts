/**
 * Makes packs out of the weights in node_modules: the shipped one at set-up (`node
 * server/src/vision/setup/make-models.ts`), others when an administrator asks for them. Whole files are left alone
 * (hashing 27 MB takes about 30 ms); missing or damaged ones are made again. Inputs and outputs are pinned by sha256;
 * files appear under their name only when complete.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sha256 } from '../packs/checksum.ts';
import { isWhole, modelsDir } from '../packs/installed-packs.ts';
import { networks, type Network, type Source } from './shipped-networks.ts';
import type { Pack } from '../packs/pack.ts';
import { shippedPack } from '../packs/shipped-pack.ts';

/** Makes the shipped pack; returns the names of the files that had to be made. */
export function makeModels(dir: string = modelsDir): string[] {
  return makePack(dir, shippedPack, networks);
}

/** Makes a pack out of `networks`, in a folder of its own in `dir`. */
export function makePack(
  dir: string,
  pack: Pack,
  networks: Readonly<Record<string, Network>>,
): string[] {
  const folder = join(dir, pack.id);
  const made: string[] = [];
  mkdirSync(folder, { recursive: true });
  for (const [name, network] of Object.entries(networks)) {
    const file = pack.files[name];
    if (!file) throw new Error(`the pack names no file for ${name}`);
    const path = join(folder, file.path);
    if (isWhole(path, file.sha256)) continue;
    const bytes = convert(network);
    check(name, bytes, file.sha256);
    write(path, bytes);
    made.push(file.path);
  }
  const description = `${JSON.stringify(pack, null, 2)}\n`;
  const path = join(folder, 'pack.json');
  if (!isWhole(path, sha256(description))) {
    write(path, Buffer.from(description));
    made.push('pack.json');
  }
  return made;
}

/** Returns one network's ONNX bytes out of the packages' weights. */
export function convert({ sources, convert }: Network): Buffer {
  const [description, weights] = sources;
  return convert(readSource(description).toString('utf8'), readSource(weights));
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

/** Writes under another name first: a run that is killed half-way leaves no half file under the right name. */
function write(path: string, bytes: Buffer): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, bytes, { flush: true });
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

if (import.meta.main) makeModels();
