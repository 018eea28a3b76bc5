import { blameOf } from '@nazar/contract/blame.ts';
import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';

/** The cause of a gap in the recording; where nothing is wrong recording has just begun (`restart`). */
export function gapCauseOf(cause: IngestCause): GapCause {
  return blameOf(cause) ?? 'restart';
}
