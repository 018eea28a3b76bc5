/** What a fault says beyond its cause: texts of our own and the system's codes, never a text of the camera's. */
import { IngestFault } from '../../protocol/fault.ts';

/** A fault has a cause or two. */
const maxDepth = 4;

export function detailsOf(fault: IngestFault): string[] {
  const details: string[] = [];
  let error: unknown = fault;
  for (let depth = 0; depth < maxDepth && error instanceof Error; depth++, error = error.cause) {
    if (isOurs(error) && error.message !== error.fault) details.push(error.message);
    const code = 'code' in error ? error.code : null;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code)) details.push(code);
  }
  return details;
}

/** Any other error's message may name an address, also where a fault passes it on. */
const isOurs = (error: Error): error is IngestFault =>
  error instanceof IngestFault &&
  !(error.cause instanceof Error && error.cause.message === error.message);
