/** What work costs in the process that does it. */
import type { Cost } from './peers/messages.ts';

/** The cost per time, after one that does not count (compiling, first memory). */
export async function costOf(times: number, work: () => unknown): Promise<Cost> {
  await work();
  const before = process.cpuUsage();
  const startedAt = performance.now();
  for (let i = 0; i < times; i++) await work();
  const wallMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 / times, wallMs: wallMs / times };
}
