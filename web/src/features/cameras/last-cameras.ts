/**
 * The last list the server gave this user, for when it cannot be asked. The schema below is all that is
 * kept: what the list draws. How a camera is reached, who made it and what is written about it stay with the server.
 */
import { Camera, CameraHealth, StreamHealth } from '@nazar/contract/cameras.ts';
import { z } from 'zod/mini';
import { copyOf, keepCopy } from '#lib/copies.ts';
import type { CameraPage } from './queries.ts';

const KeptHealth = z.extend(
  z.pick(CameraHealth, { state: true, cause: true, retry_at: true, width: true, height: true }),
  { sub: z.nullable(z.pick(StreamHealth, { state: true, cause: true })) },
);

const KeptCamera = z.extend(
  z.pick(Camera, {
    id: true,
    name: true,
    location: true,
    type: true,
    status: true,
    has_url: true,
    resolution: true,
    enable_face_recognition: true,
    is_recording: true,
    recording_reason: true,
    recording_state: true,
    is_demo: true,
  }),
  { health: KeptHealth },
);
type KeptCamera = z.infer<typeof KeptCamera>;

/** Parsing leaves out whatever it does not name. */
const KeptPage = z.object({ count: z.int(), results: z.array(KeptCamera) });

const noStream: StreamHealth = {
  state: 'off',
  cause: 'none',
  since: null,
  down_since: null,
  retry_at: null,
  width: null,
  height: null,
  fps: null,
  codec: null,
  sound: null,
  timed_by_arrival: false,
};

/** The list draws nothing of what is made up here. */
const drawn = ({ health, ...camera }: KeptCamera): Camera => ({
  description: '',
  has_password: false,
  may_move: false,
  may_play: false,
  may_detect: false,
  recording_modes: [],
  fps: 0,
  rotation: 0,
  enable_audio: false,
  recording_cause: null,
  zones_turned: false,
  created_by: null,
  created_at: new Date(0).toISOString(),
  updated_at: new Date(0).toISOString(),
  online_24h_s: null,
  ...camera,
  health: {
    ...noStream,
    ...health,
    sub: health.sub && { ...noStream, ...health.sub },
    aligned: null,
    picture: { frozen: null, covered: null },
  },
});

export interface LastCameras {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly page: CameraPage;
}

export function keepCameras(userId: string, page: CameraPage, at: number): void {
  const kept = KeptPage.safeParse(page);
  // A newer server may answer what this page does not know.
  if (kept.success) keepCopy('cameras', { user_id: userId, at, value: kept.data });
}

export function lastCameras(userId: string, nowMs: number): LastCameras | null {
  const copy = copyOf('cameras', userId, nowMs);
  const kept = KeptPage.safeParse(copy?.value);
  if (copy === null || !kept.success) return null;
  const { count, results } = kept.data;
  return { at: copy.at, page: { count, results: results.map(drawn) } };
}
