/** What processes keep in memory, as the kernel counts it (Linux). */
import { readFileSync } from 'node:fs';

/** A process's own memory and its share of what is shared, MiB; 0 when it is gone. */
export function pssMib(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s*(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
