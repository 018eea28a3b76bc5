/**
 * What travels over WebSockets: the live view of one camera, and the news of the whole application.
 *
 * Live view (`/secure-api/cameras/:id/live/ws/?ticket=`): text frames are one `LiveMessage` each; binary
 * frames are fragmented MP4, an initialisation segment after every `stream` message, then one fragment
 * per picture. Times are seconds on the media timeline of that fMP4 (what `video.currentTime` counts).
 *
 * News (`/secure-api/news/ws/`): the first message is the client's `{ access }`; then one `News` per frame.
 */
import { z } from 'zod/mini';
import { CameraDoing, CameraHealth } from './cameras.ts';
import { Detection } from './visits.ts';
import { Id } from './fields.ts';

/** undecided: still being analyzed, drawn as "...". */
export const boxStates = ['undecided', 'known', 'unknown', 'unusable'] as const;

export const FaceBox = z.object({
  track_id: z.string(),
  /** Fractions of the picture. */
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  state: z.enum(boxStates),
  /** Null while undecided or unknown; 'Known person' where the viewer may not see people. */
  name: z.nullable(z.string()),
  /** Calibrated, 0 to 1; null while there is nothing to be confident about. */
  confidence: z.nullable(z.number()),
});
export type FaceBox = z.infer<typeof FaceBox>;

export const LiveMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stream'), mime: z.string(), width: z.int(), height: z.int() }),
  /** Faces of the picture shown at media time `at`; an empty list clears the overlay. */
  z.object({ kind: z.literal('faces'), at: z.number(), faces: z.array(FaceBox) }),
  z.object({ kind: z.literal('health'), health: CameraHealth }),
  /**
   * The socket closes after this: rights were lost, the camera is gone or no longer active, or it was given privacy
   * masks (`masked`): a client that reconnects sees it with them. `replaced`: too many views were open, and a newer one
   * has its place; a client that reconnects by itself only ends another one.
   */
  z.object({
    kind: z.literal('end'),
    reason: z.enum(['rights', 'camera', 'masked', 'shutdown', 'replaced']),
  }),
]);
export type LiveMessage = z.infer<typeof LiveMessage>;

export const News = z.discriminatedUnion('kind', [
  /**
   * Visits that were written or changed, as the lists answer them to this reader, in the order in which that happened;
   * and the ids of visits that are in no list any more.
   */
  z.object({ kind: z.literal('visits'), seen: z.array(Detection), gone: z.array(Id) }),
  /** What a camera does now is another thing than before. */
  z.extend(CameraDoing, { kind: z.literal('camera'), camera_id: Id }),
  /** How many of the reader's own notifications are unread; lists of them changed. At most once a second. */
  z.object({ kind: z.literal('notifications'), unread_count: z.int() }),
  /**
   * Something in these lists changed; request them again. `visits`: counts of the visits that were sent, and lists that
   * hold more visits than that; at most once in five seconds, and once after the last visit.
   */
  z.object({
    kind: z.literal('changed'),
    what: z.enum(['cameras', 'faces', 'detections', 'visits', 'recordings', 'activity', 'alerts']),
  }),
]);
export type News = z.infer<typeof News>;
