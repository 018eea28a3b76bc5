/**
 * One process at a time for a folder. The lock is the operating system's (a POSIX record lock, which
 * SQLite takes for an exclusive transaction). It ends with its process, however the process ends, so there is no
 * stale lock to judge and no race between two processes that start together. A file that holds a process number
 * has both problems; Node itself has no call for such a lock.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY: another connection has the lock. */
const busy = 5;

/** Null when another process (or another caller in this one) has it; throws when the folder cannot be locked. */
export function lockFolder(folder: string): Disposable | null {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === busy) return null;
    throw error;
  }
  writeFileSync(join(folder, 'lock.pid'), `${process.pid}\n`, { mode: 0o600 });
  return { [Symbol.dispose]: () => lock.close() };
}

/** The holder of the lock, for a sentence; may be slightly out of date. */
export function lockOwner(folder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(folder, 'lock.pid'), 'utf8'), 10) || null;
  } catch {
    return null;
  }
}
