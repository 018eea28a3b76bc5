/** Why an ingest failed, from the closed list of the contract; the camera's state follows from the cause. */
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

/** For the log of the server, which people read in the system log. */
export function lineOf({ fault, message }: IngestFault): string {
  const words = `no video: ${fault.replaceAll('_', ' ')}`;
  return message === fault ? words : `${words} (${message})`;
}

export function stateOf(fault: IngestCause): IngestState {
  if (fault === 'password_refused') return 'refused';
  if (fault === 'no_packets' || fault === 'no_key_frame') return 'stalled';
  return 'offline';
}

/** The fault that a camera's card shows for an error; an unknown error is `damaged`. */
export function faultOf(error: unknown): IngestFault {
  if (error instanceof IngestFault) return error;
  return new IngestFault('damaged', error instanceof Error ? error.message : 'unknown', error);
}
