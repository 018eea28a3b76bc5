import { blameOf } from '@nazar/contract/blame.ts';
import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';

/** What a gap in the recording is blamed on; where nothing is wrong it just began. */
export function gapCauseOf(cause: IngestCause): GapCause {
  return blameOf(cause) ?? 'restart';
}
