/** Warns administrators that the activity log was changed, and ends the warning once it is whole again. */
import type { Fault } from './verify.ts';
import type { Warnings } from './warnings.ts';

export async function warnIfBroken(warnings: Warnings, fault: Fault | null): Promise<void> {
  if (!fault) return warnings.end('record_broken');
  const where = fault.kind === 'anchor' ? { line: fault.line } : { sequence: fault.sequence };
  await warnings.raise({ kind: 'record_broken', details: { fault: fault.kind, ...where } });
}
