/**
 * The key from which every other one is derived. It is kept in the database, sealed by the master key, which
 * is a file. So the master key can be changed by sealing one row anew, and neither a copy of the
 * database nor the file alone opens anything. Knows nothing of what is sealed with it.
 */
import { existsSync, globSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Refusal } from '#lib/refusal.ts';
import { openMasterKey, SealBroken, SecretKey } from '#lib/secrets.ts';
import { syncFolder } from '#lib/sync-folder.ts';
import type { Database, Tx } from './database.ts';

const place = 'root_key.sealed';

interface Tables {
  root_key: { only_row: boolean; sealed: Buffer; sealed_at: Date };
}

export interface KeyFile {
  readonly db: Database;
  readonly clock: Clock;
  /** The file of the master key: 32 bytes, 0600. */
  readonly path: string;
}

/**
 * The root key; made together with its file in an empty database. Throws a Refusal when the database has a
 * key and the file is missing or belongs to another database: a new key would open no existing value.
 */
export async function openRootKey(file: KeyFile): Promise<SecretKey> {
  const sealed = await sealedKey(file.db);
  if (sealed) return openedByFile(file.path, sealed);
  // Before the root key existed, everything was derived from the master key itself.
  const isOlder = await hasUsers(file.db);
  if (isOlder && !existsSync(file.path)) throw notThere(file.path);
  const master = openMasterKey(file.path);
  const root = isOlder ? master : SecretKey.random();
  await file.db
    .write<Tables>()
    .insertInto('root_key')
    .values({
      only_row: true,
      sealed: root.sealedBy(master, place),
      sealed_at: new Date(file.clock.now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another process may have been first.
  return openedByFile(file.path, (await sealedKey(file.db))!);
}

/**
 * Makes a new master key; running processes keep using their root key. Resolves with the path where the old
 * one is kept: it opens the backups made until now. `record` writes the activity log in the same transaction.
 * Whenever this is interrupted, the key of the database is in a file, and `openRootKey` finds it.
 */
export async function changeMasterKey(
  file: KeyFile,
  record: (tx: Tx) => Promise<void>,
): Promise<string> {
  const { db, clock, path } = file;
  await openRootKey(file);
  const id = uuidv7(clock.now());
  const next = `${path}.next-${id}`;
  const kept = `${path}.before-${id}`;
  await db.transaction(async (tx) => {
    const { sealed } = await tx
      .as<Tables>()
      .selectFrom('root_key')
      .select('sealed')
      .forUpdate()
      .executeTakeFirstOrThrow();
    // Only the process that holds the row touches the files; what an earlier holder left unfinished is finished here.
    const root = openedByFile(path, sealed);
    for (const left of nextKeys(path)) rmSync(left);
    SecretKey.readFrom(path).writeTo(kept);
    SecretKey.random().writeTo(next);
    syncFolder(dirname(path));
    await tx
      .as<Tables>()
      .updateTable('root_key')
      .set({
        sealed: root.sealedBy(SecretKey.readFrom(next), place),
        sealed_at: new Date(clock.now()),
      })
      .execute();
    await record(tx);
  });
  await openRootKey(file);
  return kept;
}

/** Master keys that wait until the database is sealed by them. */
const nextKeys = (path: string): string[] => globSync(`${path}.next-*`);

function openedByFile(path: string, sealed: Buffer): SecretKey {
  const root = existsSync(path) ? tryFile(path, sealed) : null;
  if (root) return root;
  for (const next of nextKeys(path)) {
    const byNext = tryFile(next, sealed);
    if (!byNext) continue;
    // The database is sealed by it already: finish the change.
    renameSync(next, path);
    syncFolder(dirname(path));
    return byNext;
  }
  if (!existsSync(path)) throw notThere(path);
  throw new Refusal(
    `${path} is not the master key of this database; put the right one there, or name it in NAZAR_MASTER_KEY_FILE.`,
  );
}

function notThere(path: string): Refusal {
  return new Refusal(
    `The master key ${path} is not there, and without it what is encrypted in the database cannot be read; put it back, or name it in NAZAR_MASTER_KEY_FILE.`,
  );
}

function tryFile(path: string, sealed: Buffer): SecretKey | null {
  try {
    return SecretKey.openedBy(SecretKey.readFrom(path), sealed, place);
  } catch (error) {
    if (error instanceof SealBroken || error instanceof RangeError) return null;
    throw error;
  }
}

async function sealedKey(db: Database): Promise<Buffer | null> {
  const row = await db.read<Tables>().selectFrom('root_key').select('sealed').executeTakeFirst();
  return row?.sealed ?? null;
}

async function hasUsers(db: Database): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from app_user) as any`.execute(db.read());
  return rows[0]!.any;
}
