/**
 * Compares a saved verification with the current log. Its file names the last entry with its signature, so that it is
 * an anchor kept outside: it also detects an attacker who has both database and master key and rewrote the log.
 */
import type { KeyObject } from 'node:crypto';
import { beginning } from '../checkpoints.ts';
import type { VerifyParts } from '../verify.ts';
import { readReport, type Report, type ReportVerdict } from './report.ts';

export interface Comparison {
  /**
   * `kept`: the log has the last entry of the file, with the same signature; `pruned`: the log begins later by now;
   * `replaced`: the log should have that entry and does not.
   */
  readonly verdict: 'kept' | 'pruned' | 'replaced' | NonNullable<ReportVerdict['fault']>;
  readonly report: Report | null;
}

export async function compared(
  { store, key }: Pick<VerifyParts, 'store' | 'key'>,
  ours: KeyObject,
  file: string,
): Promise<Comparison> {
  const { fault, report } = readReport(file, ours);
  if (fault !== null) return { verdict: fault, report };
  const { last } = report;
  if (last === null) return { verdict: 'kept', report };
  const mac = await store.transaction((tx) => store.macAt(tx, last.sequence));
  if (mac?.toString('hex') === last.signature) return { verdict: 'kept', report };
  const { start, forged } = beginning(key, await store.checkpoints());
  const isPruned = mac === null && !forged && start.sequence >= last.sequence;
  return { verdict: isPruned ? 'pruned' : 'replaced', report };
}
