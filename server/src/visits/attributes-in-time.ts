/** Requests the attributes of a new visit's face; the visit waits only briefly and is then written without them. */
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { FaceEstimate } from '#vision/vision.ts';
import type { VisitPicture } from './pictures.ts';

/** Null if attributes are not enabled. */
export type ReadAttributes = (picture: VisitPicture) => Promise<FaceEstimate | null>;

/** They take 10 to 30 ms. */
const withinMs = 1_000;

/** Null also when they could not be read, or come too late. */
export async function attributesInTime(
  read: ReadAttributes,
  picture: VisitPicture,
  { clock, log, signal }: { clock: Clock; log: Log; signal: AbortSignal },
): Promise<FaceEstimate | null> {
  let found: FaceEstimate | null = null;
  const asked = read(picture).then(
    (attributes) => void (found = attributes),
    (error: unknown) => log.warn({ err: error }, 'attributes of a face were not read'),
  );
  await awaitAtMost(clock, asked, withinMs, signal);
  return found;
}
