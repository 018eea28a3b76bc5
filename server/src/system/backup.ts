/**
 * Writing a backup while everything runs, and proving that one is whole. A backup is a folder:a file of rows
 * for each table, all of one moment, and a signed manifest. The master key is not in it, sessions and other
 * things of the moment are not, and the keys of identities lie beside it (`backup-keys.ts`).
 */
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { Target } from '#db/connection.ts';
import { Snapshot, type Rows } from '#db/dump.ts';
import type { Clock } from '#lib/clock.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { hashFile } from '#lib/hash-file.ts';
import { Refusal } from '#lib/refusal.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { writeIdentityKeys, type KeyColumn } from './backup-keys.ts';
import {
  keyMark,
  readManifest,
  writeManifest,
  type BackupTable,
  type Manifest,
} from './backup-manifest.ts';
import { Hashing, sha256 } from './backup-streams.ts';

/** Rows that give access, or wait for a moment that is over: after a restore every user signs in again. */
export const leftOutTables: ReadonlySet<string> = new Set([
  'account_link',
  'fresh_sign_on',
  'letter_pace',
  'login_challenge',
  'mail_outbox',
  'see_as',
  'session',
  'session_token',
  'setup_code',
  'sign_on',
  'throttle',
]);

export interface BackupOptions {
  readonly target: Target;
  readonly master: SecretKey;
  /** Where backups are kept; made when it is not there. */
  readonly to: string;
  readonly version: string;
  readonly auditDir: string;
  readonly identityKeys: KeyColumn;
  /** Identities that were erased and of which the database may know nothing any more. */
  readonly erased: ReadonlySet<string>;
  readonly clock: Clock;
  /** Called when a table is begun. */
  readonly onTable: (name: string) => void;
  readonly signal: AbortSignal;
}

export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Rows of a backup that is whole; what was left unfinished has another name and is removed by the next. */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const { to, clock } = options;
  mkdirSync(to, { recursive: true, mode: 0o700 });
  using lock = lockFolder(to);
  if (!lock) throw new Refusal(`Another backup is being written to ${to}.`);
  const name = `nazar-${new Date(clock.now())
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '')}`;
  const folder = join(to, name);
  if (existsSync(folder)) throw new Refusal(`${folder} is there already.`);
  const draft = join(to, 'unfinished');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  try {
    const manifest = await writeAll(options, draft);
    await checkFiles(draft, manifest, options.signal);
    renameSync(draft, folder);
    return { folder, manifest };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC'
      ? new Refusal(`The disk of ${to} is full; nothing was kept.`, { cause: error })
      : error;
  }
}

async function writeAll(options: BackupOptions, folder: string): Promise<Manifest> {
  const { target, master, version, identityKeys, clock } = options;
  // Before the snapshot: what is anchored is in the activity log by then.
  const anchors = copyAnchors(options.auditDir, folder);
  await using snapshot = await Snapshot.open(target);
  const tables: BackupTable[] = [];
  for (const table of await snapshot.tables()) {
    if (leftOutTables.has(table.name)) continue;
    options.onTable(table.name);
    const without = table.name === identityKeys.table ? [identityKeys.value] : [];
    const file = `${table.name}.copy.zst`;
    const rows = snapshot.copy(table, without);
    tables.push({
      ...table,
      columns: [...table.columns],
      ...(await write(rows, folder, file, options.signal)),
    });
  }
  const manifest: Manifest = {
    format: 1,
    version,
    created_at: new Date(clock.now()).toISOString(),
    key: keyMark(master),
    migrations: await snapshot.migrations(),
    tables,
    ranges: await snapshot.ranges(),
    sequences: await snapshot.sequences(),
    anchors,
  };
  await writeIdentityKeys(options.to, snapshot, identityKeys, options.erased);
  writeManifest(folder, manifest, master);
  return manifest;
}

/** Fast: what is sealed does not get smaller, and is recognised as such; rows of numbers and words halve. */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

async function write(
  rows: Rows,
  folder: string,
  file: string,
  signal: AbortSignal,
): Promise<Pick<BackupTable, 'file' | 'rows' | 'bytes' | 'sha256'>> {
  const path = join(folder, file);
  const out = createWriteStream(path, { mode: 0o600, flush: true });
  const hash = new Hashing();
  await pipeline(rows, createZstdCompress(compression), hash, out, { signal });
  return { file, rows: rows.rowCount ?? 0, bytes: hash.bytes, sha256: hash.digest() };
}

function copyAnchors(auditDir: string, folder: string): Manifest['anchors'] {
  const from = join(auditDir, 'anchors');
  if (!existsSync(from)) return null;
  const path = join(folder, 'anchors');
  copyFileSync(from, path);
  const bytes = readFileSync(path);
  return { file: 'anchors', bytes: bytes.length, sha256: sha256(bytes) };
}

/** Reads all of it again: the signature and every file's hash. */
export async function checkBackup(
  folder: string,
  master: SecretKey,
  signal: AbortSignal = new AbortController().signal,
): Promise<Manifest> {
  const manifest = readManifest(folder, master);
  await checkFiles(folder, manifest, signal);
  return manifest;
}

async function checkFiles(folder: string, manifest: Manifest, signal: AbortSignal): Promise<void> {
  for (const table of manifest.tables) {
    const path = join(folder, table.file);
    const { sha256: found } = await hashFile(path, { signal }).catch((cause: unknown) => {
      if (signal.aborted) throw cause;
      throw new Refusal(`${path} cannot be read; this backup is not whole.`, { cause });
    });
    const isWhole = found.toString('hex') === table.sha256;
    if (!isWhole) throw new Refusal(`${path} is not as it was written; this backup is not whole.`);
  }
  const { anchors } = manifest;
  if (!anchors) return;
  const path = join(folder, anchors.file);
  if (existsSync(path) && sha256(readFileSync(path)) === anchors.sha256) return;
  throw new Refusal(`${path} is not as it was written; this backup is not whole.`);
}
