/**
 * A saved verification beside the record of now. Its file names the last entry with its signature, so that it is an anchor
 * in the hands of whoever keeps it: also against who has both database and master key and wrote a record anew.
 */
import type { KeyObject } from 'node:crypto';
import { beginning } from '../checkpoints.ts';
import type { VerifyParts } from '../verify.ts';
import { readReport, type Report, type ReportVerdict } from './report.ts';

export interface Comparison {
  /**
   * `kept`: the record has the last entry of the file, with the same signature; `pruned`: it begins later by now;
   * `replaced`: it should have that entry and has not.
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
