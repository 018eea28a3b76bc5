/** The folders of PostgreSQL: their owner, and where its socket is. */
import { createHash } from 'node:crypto';
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '#lib/refusal.ts';
import type { RunAs } from './processes.ts';

/** sockaddr_un holds 107 bytes; PostgreSQL adds `/.s.PGSQL.5432` (14) and keeps a `.lock` beside it. */
const longestSocketFolderBytes = 86;

/** Makes the folder if necessary; only `user` (or our own) and root can enter it. */
export function privateFolder(folder: string, user: RunAs | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  if (user) lchownSync(folder, user.uid, user.gid);
}

export function chownTree(path: string, user: RunAs | null): void {
  if (!user) return;
  lchownSync(path, user.uid, user.gid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownTree(join(path, name), user);
}

/**
 * The name of this folder's PostgreSQL. It is part of the command line of each of its processes,
 * so that they can be identified even where nothing else about them is visible.
 */
export function clusterName(folder: string): string {
  return `nazar-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
}

/**
 * The folder of PostgreSQL's socket. A user who may enter this folder may connect: there is no password. It is
 * `folder` itself, or, when that path is too long for a socket, one under the system's temporary folder, named by
 * a hash so that every process of this installation finds the same.
 */
export function socketFolder(folder: string, user: RunAs | null): string {
  if (Buffer.byteLength(folder) <= longestSocketFolderBytes) return folder;
  const short = join(tmpdir(), clusterName(folder));
  mkdirSync(short, { recursive: true, mode: 0o700 });
  const found = lstatSync(short);
  const ours = [user?.uid, process.getuid?.()].includes(found.uid);
  if (!found.isDirectory() || !ours) {
    throw new Refusal(`${short} belongs to somebody else; remove it or use a shorter NAZAR_DATA.`);
  }
  privateFolder(short, user);
  return short;
}
