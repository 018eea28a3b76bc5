/**
 * What the operating system says about processes: whether one runs, what it is, and the user under which
 * PostgreSQL must run, since it refuses to run as root.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

export type ProcessState = 'running' | 'zombie' | 'gone';

/** A zombie is dead, but keeps its number until its parent has read its exit status. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : 'gone';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may itself hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z') ? 'zombie' : 'running';
  } catch {
    return 'running'; // no /proc here (macOS), or it went just now: the next check shows
  }
}

/** The command or title of a process; null when we may not read it, or it has ended. */
function commandLine(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return null;
  }
}

/** Whether its command line contains `word`; null when that cannot be read. */
export function isCalled(pid: number, word: string): boolean | null {
  return commandLine(String(pid))?.includes(word) ?? null;
}

/** The processes with `word` in their command line; none where the system has no /proc. */
export function processesCalled(word: string): number[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/.test(name) && commandLine(name)?.includes(word))
    .map(Number);
}

export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** The user `nobody` when we are root; else null: our own user. */
export function databaseUser(): RunAs | null {
  if (process.getuid?.() !== 0) return null;
  const entry = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m);
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534) };
}

/** Whether that user can enter `folder` (each folder above it lets others pass). Tried, so that ACLs count too. */
export function canReach(folder: string, user: RunAs): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    ...user,
    stdio: 'ignore',
  });
  return status === 0;
}
