/**
 * Why settings aren't taken over, by their paths. A setting in none of these lists is listed as unknown: a file of a
 * newer version hides nothing.
 */
import type { SettingReason } from '@nazar/contract/camera-import.ts';
import type { Path } from './settings.ts';

type Reasons = Readonly<Record<string, SettingReason>>;

/** Sections of Frigate, for all cameras or for one. */
const ofFrigate: Reasons = {
  audio: 'not_in_nazar',
  audio_transcription: 'not_in_nazar',
  auth: 'set_in_nazar',
  best_image_timeout: 'automatic',
  birdseye: 'not_in_nazar',
  camera_groups: 'group',
  classification: 'objects',
  database: 'automatic',
  detect: 'automatic',
  detectors: 'automatic',
  environment_vars: 'automatic',
  face_recognition: 'set_in_nazar',
  ffmpeg: 'automatic',
  genai: 'not_in_nazar',
  live: 'automatic',
  logger: 'automatic',
  lpr: 'objects',
  model: 'automatic',
  motion: 'motion_tuning',
  mqtt: 'not_in_nazar',
  networking: 'set_in_nazar',
  notifications: 'set_in_nazar',
  objects: 'objects',
  onvif: 'not_in_nazar',
  profiles: 'profiles',
  proxy: 'set_in_nazar',
  record: 'recording_tuning',
  review: 'objects',
  rtmp: 'automatic',
  semantic_search: 'not_in_nazar',
  snapshots: 'automatic',
  telemetry: 'automatic',
  timestamp_style: 'not_in_nazar',
  tls: 'set_in_nazar',
  triggers: 'not_in_nazar',
  type: 'objects',
  ui: 'set_in_nazar',
  webui_url: 'not_in_nazar',
  zones: 'zone',
};

/** Settings whose reason differs from the rest of their section. */
const withinSection: readonly (readonly [pattern: RegExp, reason: SettingReason])[] = [
  [/^objects\/(?:.*\/)?mask(?:\/|$)/, 'object_mask'],
  [/^motion\/mask(?:\/|$)/, 'unused'],
  [/^(?:ui|birdseye)\/order$/, 'order'],
  [/^record\/(?:alerts|detections|events)\/(?:pre|post)_capture$/, 'capture'],
  [/^record\/(?:alerts|detections|events)\//, 'kept_longer'],
  [/^record\/sub(?:\/|$)/, 'kept_longer'],
  [/^record\/(?:enabled|(?:retain|continuous|motion)\/)/, 'unused'],
  [/^(?:detect|face_recognition)\/enabled$/, 'unused'],
  [/^ffmpeg\/inputs\/\d+\/(?:path|roles)$/, 'further_input'],
];

/** Sections of go2rtc. */
const ofGo2rtc: Reasons = {
  api: 'own_server',
  app: 'automatic',
  echo: 'not_in_nazar',
  exec: 'not_in_nazar',
  ffmpeg: 'automatic',
  hass: 'not_in_nazar',
  hls: 'own_server',
  homekit: 'not_in_nazar',
  log: 'automatic',
  mjpeg: 'own_server',
  mp4: 'own_server',
  ngrok: 'not_in_nazar',
  preload: 'automatic',
  publish: 'not_in_nazar',
  rtmp: 'own_server',
  rtsp: 'own_server',
  srtp: 'not_in_nazar',
  streams: 'unused_stream',
  webrtc: 'own_server',
  webtorrent: 'not_in_nazar',
  wyoming: 'not_in_nazar',
};

const reasonIn = (reasons: Reasons, name: unknown): SettingReason => {
  const text = String(name);
  return (Object.hasOwn(reasons, text) && reasons[text]) || 'unknown';
};

export const go2rtcReason = ([section]: Path): SettingReason => reasonIn(ofGo2rtc, section);

export function frigateReason(path: Path): SettingReason {
  if (path[0] === 'go2rtc') return go2rtcReason(path.slice(1));
  const below = path[0] === 'cameras' ? path.slice(2) : path;
  // Names of sections are short; those of zones and the like need not be.
  const text = below.map((name) => String(name).slice(0, 40)).join('/');
  const found = withinSection.find(([pattern]) => pattern.test(text));
  return found ? found[1] : reasonIn(ofFrigate, below[0]);
}
