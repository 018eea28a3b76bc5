/** What processes of a product under measurement use, as the kernel counts it (Linux). */
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Installation } from '../../e2e/installation.ts';
import { pssMib } from '../../e2e/memory.ts';

/** Processes that are reported together, e.g. PostgreSQL with its workers. */
export type Groups = Readonly<Record<string, readonly number[]>>;

/** Kernel clock ticks a second; 100 on every Linux of the last twenty years (`getconf CLK_TCK`). */
const ticksPerSecond = 100;

export function groupsOf(nazar: Installation): Groups {
  return {
    server: [nazar.serverPid],
    'media host': nazar.pids('media-'),
    'vision hosts': nazar.pids('vision-'),
    PostgreSQL: [nazar.postgresPid, ...childrenOf(nazar.postgresPid)],
  };
}

/** Processor milliseconds since each group began, including those of children that have ended. */
export function cpuMsOf(groups: Groups): Record<string, number> {
  return mapped(groups, (pids) => pids.reduce((sum, pid) => sum + cpuMs(pid), 0));
}

/** Processor milliseconds a second of each group between two readings. */
export function share(
  before: Record<string, number>,
  after: Record<string, number>,
  forMs: number,
): Record<string, number> {
  const names = Object.keys(after);
  return Object.fromEntries(
    names.map((name) => [name, ((after[name]! - (before[name] ?? 0)) / forMs) * 1000]),
  );
}

/** Each group's own memory and its share of what is shared, MiB. */
export function pssMibOf(groups: Groups): Record<string, number> {
  return mapped(groups, (pids) => pids.reduce((sum, pid) => sum + pssMib(pid), 0));
}

/** The load by others: a figure of a shared machine is worth only what this says. */
export interface Conditions {
  readonly load: number;
  /** The share of all cores that was busy since the previous reading, with any process. */
  readonly busy: number;
}

export class Machine {
  #last = jiffies();

  /** Measures since the last call, or since this object was made. */
  conditions(): Conditions {
    const now = jiffies();
    const all = now.all - this.#last.all;
    const idle = now.idle - this.#last.idle;
    this.#last = now;
    return { load: loadavg()[0] ?? 0, busy: all > 0 ? 1 - idle / all : 0 };
  }
}

function jiffies(): { all: number; idle: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // user nice system idle iowait irq softirq steal; guests are counted in user already.
  const fields = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: fields.reduce((a, b) => a + b, 0), idle: (fields[3] ?? 0) + (fields[4] ?? 0) };
}

function mapped(groups: Groups, measure: (pids: readonly number[]) => number) {
  return Object.fromEntries(Object.entries(groups).map(([name, pids]) => [name, measure(pids)]));
}

/** Fields of /proc/PID/stat after the name, which may hold anything; null when it is gone. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function cpuMs(pid: number): number {
  // utime stime cutime cstime: fields 14 to 17, counted from 1 with the number and the name.
  const times = statOf(pid)?.slice(11, 15).map(Number) ?? [];
  return (times.reduce((a, b) => a + b, 0) * 1000) / ticksPerSecond;
}

/** NaN when it is gone. */
export const parentOf = (pid: number): number => Number(statOf(pid)?.[1]);

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

const isBrowser = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('chrom');
  } catch {
    return false; // it has ended
  }
};

/** The processes of Chromium, which this one started. */
export function browserPids(): number[] {
  const known = new Set<number>();
  const add = (pid: number): void => {
    known.add(pid);
    for (const child of childrenOf(pid)) add(child);
  };
  add(process.pid);
  return [...known].filter(isBrowser);
}
