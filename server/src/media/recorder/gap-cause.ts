import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';

/** What a gap in the recording is blamed on: silence and no way to the camera on the network, its own words on it. */
export function gapCauseOf(cause: IngestCause): GapCause {
  switch (cause) {
    case 'unreachable':
    case 'no_packets':
    case 'address_refused':
      return 'network';
    case 'password_refused':
      return 'password';
    case 'starting':
    case 'host_restarting':
    case 'none':
      return 'restart';
    default:
      return 'camera';
  }
}
