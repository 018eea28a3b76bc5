/**
 * The folder in which everything lives: chosen, made, checked, and ours alone while we run.
 *
 *   postgres/  the embedded database     logs/  of PostgreSQL and the hosts
 *   run/       sockets of the hosts      lock   held by the server
 *   privacy/   ids of who was erased
 *   audit/     anchors of the chain     master.key, unless NAZAR_MASTER_KEY_FILE names another file
 *   tls/       a certificate of our own  models/    packs of models that a user added
 *   recordings/  unless NAZAR_RECORDINGS names other folders
 */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canReach, databaseUser } from '#db/processes.ts';
import { finishSwap } from '#db/swap.ts';
import { lockFolder, lockOwner } from '#lib/folder-lock.ts';
import { Refusal } from '#lib/refusal.ts';
import type { RecordingFolder } from '#recordings/recordings.ts';
import { defaultDataFolder, type Config } from './config.ts';

const MiB = 1024 * 1024;
/** The programs of PostgreSQL 58, an empty cluster 47, its log up to 256, reserved 64: for the first start. */
const neededForFirstMiB = 512;
/** Later starts must work on a nearly full disk: that is when a user needs to delete something. */
const neededMiB = 16;

/** Where root keeps its data when `nobody` cannot reach the usual place (a project under /root). */
const systemFolder = '/var/lib/nazar';

export interface DataFolder extends Disposable {
  readonly path: string;
  readonly logs: string;
  /** For sockets; only we may enter. */
  readonly run: string;
  /** A sentence for the console when the folder is not the usual one; else null. */
  readonly notice: string | null;
}

/** For the server: locked until disposed of. */
export function openDataFolder(config: Config): DataFolder {
  const folder = prepareDataFolder(config);
  let lock: Disposable | null;
  try {
    lock = lockFolder(folder.path);
  } catch (error) {
    throw new Refusal(`${folder.path} cannot be locked: ${reason(error)}.`, { cause: error });
  }
  if (lock) return { ...folder, [Symbol.dispose]: () => lock[Symbol.dispose]() };
  const owner = lockOwner(folder.path);
  throw new Refusal(
    `Another Nazar${owner === null ? '' : ` (process ${owner})`} is using ${folder.path}; stop it, or name another folder in NAZAR_DATA.`,
  );
}

/** For a program beside the server: the same folder, not locked. */
export function prepareDataFolder(config: Config): Omit<DataFolder, typeof Symbol.dispose> {
  const { path, notice } = choose(config);
  makeFolder(path);
  finishSwap(path);
  const logs = join(path, 'logs');
  const run = join(path, 'run');
  for (const child of [logs, run]) mkdirSync(child, { recursive: true, mode: 0o700 });
  return { path, logs, run, notice };
}

/** The file of the master key. */
export function keyFileOf(config: Config, folder: { readonly path: string }): string {
  return config.masterKeyFile ?? join(folder.path, 'master.key');
}

/** Where recordings lie; the first is the usual place for a new camera. */
export function recordingFoldersOf(
  config: Config,
  folder: { readonly path: string },
): readonly RecordingFolder[] {
  const named = config.recordingFolders.map((path) => ({ path, isOwn: false }));
  return named.length > 0 ? named : [{ path: join(folder.path, 'recordings'), isOwn: true }];
}

interface Choice {
  readonly path: string;
  readonly notice: string | null;
}

/** PostgreSQL runs as `nobody` when we are root, and that user must be able to walk to the folder. */
function choose({ dataFolder, databaseUrl }: Config): Choice {
  const path = dataFolder ?? defaultDataFolder;
  const user = databaseUser();
  if (!user || databaseUrl !== null || canReach(folderAbove(path), user)) {
    return { path, notice: null };
  }
  if (dataFolder !== null || existsSync(join(path, 'postgres'))) {
    throw new Refusal(
      `PostgreSQL runs as "nobody" when Nazar is started by root, and "nobody" cannot reach ${path}; let others pass through the folders above it (chmod o+x), or name another folder in NAZAR_DATA.`,
    );
  }
  return {
    path: systemFolder,
    notice: `Data is kept in ${systemFolder}, because the user "nobody", as whom PostgreSQL runs, cannot reach ${path}.`,
  };
}

/** The lowest folder whose rights are not ours to set: what is below it we make, and make passable. */
function folderAbove(path: string): string {
  const above = dirname(path);
  return existsSync(above) ? above : folderAbove(above);
}

function makeFolder(path: string): void {
  const isNew = !existsSync(join(path, 'lock'));
  try {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    chmodSync(path, databaseUser() ? 0o711 : 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Refusal(
      `The data folder ${path} cannot be written (${reason(error)}); correct its rights, or name another in NAZAR_DATA.`,
      { cause: error },
    );
  }
  const { bavail, bsize } = statfsSync(path);
  const freeMiB = Math.floor((bavail * bsize) / MiB);
  const needed = isNew ? neededForFirstMiB : neededMiB;
  if (freeMiB >= needed) return;
  throw new Refusal(
    `The disk of ${path} is full: ${freeMiB} MB are free, ${needed} are needed; make room, or name another folder in NAZAR_DATA.`,
  );
}

function reason(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : '?';
}
