/** Why nothing is recorded, in the words in which the state of the camera says it, where it is the same cause. */
import { blameOf } from '@nazar/contract/blame.ts';
import type { CameraHealth, IngestCause } from '@nazar/contract/cameras.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Translate } from '#lib/i18n.ts';

/** Named one by one: the words of the others would weigh on each page that plays recordings. */
const causeKeys = {
  unreachable: 'ingest.cause.unreachable',
  no_packets: 'ingest.cause.no_packets',
  address_refused: 'ingest.cause.address_refused',
  not_found: 'ingest.cause.not_found',
  no_key_frame: 'ingest.cause.no_key_frame',
  ended: 'ingest.cause.ended',
  busy: 'ingest.cause.busy',
} as const satisfies Partial<Record<IngestCause, string>>;

const hasKey = (cause: IngestCause): cause is keyof typeof causeKeys => cause in causeKeys;

/** `health`: what the camera does now, of a gap that goes on; left out: of any other. */
export function gapWords(t: Translate, cause: GapCause, health?: CameraHealth): string {
  const now = health === undefined || health.state === 'live' ? 'none' : health.cause;
  return hasKey(now) && blameOf(now) === cause ? t(causeKeys[now]) : t(`recorded.cause.${cause}`);
}
