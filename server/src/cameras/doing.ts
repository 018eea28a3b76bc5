/** What a camera does now: what its streams do, and how it is recorded. Pure. */
import type { CameraDoing, CameraHealth } from '@nazar/contract/cameras.ts';
import type {
  GapCause,
  RecordingMode,
  RecordingState,
  RecordingType,
} from '@nazar/contract/recording-states.ts';

/** Why a camera is recorded, and how that goes: what `recordings` knows of it. */
export interface CameraRecording {
  readonly reason: RecordingType | null;
  readonly state: RecordingState;
  /** What its settings record it for while it is active. */
  readonly modes: readonly RecordingMode[];
  /** Why nothing is recorded although it is wanted; null: it is recorded, or not wanted. */
  readonly cause: GapCause | null;
}

/** Of what sends nothing nothing is recorded, though its recorder has not said so yet: that follows a moment later. */
export function doingOf(health: CameraHealth, recording: CameraRecording): CameraDoing {
  const { reason } = recording;
  const sends = health.state === 'live' || health.sub?.state === 'live';
  const isCutOff = recording.state === 'recording' && !sends;
  const state = isCutOff ? 'interrupted' : recording.state;
  return {
    health,
    is_recording: state === 'recording',
    recording_reason: reason,
    recording_state: state,
    recording_cause: isCutOff ? 'camera' : recording.cause,
  };
}
