/** Cameras with sensible contents; a test names only what it is about. */
import type { CameraCost } from '@nazar/contract/camera-cost.ts';
import type { Camera, CameraHealth } from '@nazar/contract/cameras.ts';
import type { FaceBox, News } from '@nazar/contract/live.ts';

export const someHealth = (over: Partial<CameraHealth> = {}): CameraHealth => ({
  state: 'live',
  cause: 'none',
  since: '2026-01-02T03:04:05.000Z',
  down_since: null,
  retry_at: null,
  width: 1280,
  height: 720,
  fps: 25,
  codec: 'h264',
  sound: null,
  timed_by_arrival: false,
  sub: null,
  aligned: null,
  picture: { frozen: null, covered: null },
  ...over,
});

export const aCamera = (over: Partial<Camera> = {}): Camera => ({
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Main entrance',
  description: '',
  location: 'Ground floor',
  type: 'rtsp',
  status: 'active',
  ip_address: '192.168.1.20',
  url: 'rtsp://192.168.1.20:554/stream1',
  sub_url: '',
  username: 'viewer',
  certificate: '',
  has_url: true,
  has_password: true,
  may_move: false,
  may_play: false,
  may_detect: false,
  resolution: '1280x720',
  fps: 25,
  rotation: 0,
  enable_face_recognition: true,
  enable_audio: false,
  is_recording: false,
  recording_reason: null,
  recording_state: 'off',
  recording_modes: ['motion'],
  recording_cause: null,
  zones_turned: false,
  is_demo: false,
  created_by: null,
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-01-02T03:04:05.000Z',
  online_24h_s: null,
  health: someHealth(),
  ...over,
});

/** What the news say of a camera that does that. */
export const newsOf = ({ id, ...camera }: Camera): Extract<News, { kind: 'camera' }> => {
  const { health, is_recording, recording_reason, recording_state, recording_cause } = camera;
  const recording = { is_recording, recording_reason, recording_state, recording_cause };
  return { kind: 'camera', camera_id: id, health, ...recording };
};

export const aFace = (over: Partial<FaceBox> = {}): FaceBox => ({
  track_id: 'a',
  x: 0.25,
  y: 0.5,
  width: 0.1,
  height: 0.2,
  state: 'known',
  name: 'Leyla Hasanova',
  confidence: 0.93,
  ...over,
});

/** The cost of a camera that was not measured yet. */
export const noCost = (over: Partial<CameraCost> = {}): CameraCost => ({
  measured_at: null,
  over_s: null,
  decode: null,
  detect: null,
  embed: null,
  record: null,
  analyzed_fps: null,
  analysis_limit: null,
  ...over,
});
