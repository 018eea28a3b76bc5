/** Why an ingest failed, as the closed list of the contract says it; the state follows from the cause. */
import type { IngestCause, IngestState } from '@nazar/contract/cameras.ts';

/** Ends one attempt to ingest. The message is for logs and never holds an address or a password. */
export class IngestFault extends Error {
  override readonly name = 'IngestFault';
  readonly fault: IngestCause;

  constructor(fault: IngestCause, message: string = fault, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

export function stateOf(fault: IngestCause): IngestState {
  if (fault === 'password_refused') return 'refused';
  if (fault === 'no_packets') return 'stalled';
  return 'offline';
}

/** What a failed attempt means for the person who sees the card; unknown errors are `damaged`. */
export function faultOf(error: unknown): IngestFault {
  if (error instanceof IngestFault) return error;
  return new IngestFault('damaged', error instanceof Error ? error.message : 'unknown', error);
}
