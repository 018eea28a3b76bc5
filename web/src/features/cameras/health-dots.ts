import type { IngestState } from '@nazar/contract/cameras.ts';

/** The colour of the dot beside what a camera's ingest does. */
export const healthDots: Record<IngestState, string> = {
  live: 'bg-success',
  connecting: 'bg-info',
  stalled: 'bg-unrecognized',
  offline: 'bg-danger',
  refused: 'bg-danger',
  off: 'bg-line-strong',
};
