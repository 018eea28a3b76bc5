/** What a process takes of the machine, as Linux reports it. */
import { readFile } from 'node:fs/promises';

export interface ProcessUse {
  /** 0 where the system does not report it (no /proc) or the process is gone. */
  readonly rssBytes: number;
  /** Processor time of all its threads since it began; null where the system does not report it. */
  readonly cpuMs: number | null;
}

/** The unit of /proc/PID/stat, 10 ms (USER_HZ), which is the same on every machine Node runs on. */
const tickMs = 10;

export async function processUse(pid: number | undefined): Promise<ProcessUse> {
  const [status, stat] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ]);
  const [, kib] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
  return { rssBytes: Number(kib ?? 0) * 1024, cpuMs: cpuMsIn(stat) };
}

/** Reads /proc/PID/stat (proc(5)): the name in brackets may hold anything; utime and stime follow as 12th and 13th. */
export function cpuMsIn(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * tickMs : null;
}
