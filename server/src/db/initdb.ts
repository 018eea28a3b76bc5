/** Makes an empty cluster at the first start. */
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import type { Binaries } from './binaries.ts';
import { databaseRole } from './postmaster.ts';
import { privateFolder } from './folders.ts';
import type { RunAs } from './processes.ts';

/**
 * Takes about 0.5 s. The cluster is made under another name first: an interrupted one never counts as a cluster, and
 * when two processes do this at once, one wins.
 *
 * The C locale, because it is on every machine and never changes its order under an index; people's names
 * are sorted in the reader's language, not here. The socket's folder decides which users may connect.
 */
export function makeCluster(dataFolder: string, { initdb }: Binaries, user: RunAs | null): void {
  if (existsSync(join(dataFolder, 'PG_VERSION'))) return;
  const unfinished = `${dataFolder}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  privateFolder(unfinished, user);
  const words = ['--username', databaseRole, '--auth', 'trust', '--encoding', 'UTF8'];
  const { status, stderr, error } = spawnSync(
    initdb,
    ['--pgdata', unfinished, ...words, '--locale', 'C', '--data-checksums', '--no-instructions'],
    { ...user, encoding: 'utf8', env: { LC_ALL: 'C', TZ: 'UTC' } },
  );
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    const reason = error?.message ?? stderr.trim().split('\n').at(-1);
    throw new Refusal(`The database could not be made in ${dataFolder}: ${reason}`);
  }
  try {
    renameSync(unfinished, dataFolder);
  } catch (cause) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(join(dataFolder, 'PG_VERSION'))) throw cause;
  }
}
