/** What a camera does now: what its streams do, and how it is recorded. Pure. */
import type { CameraDoing, CameraHealth } from '@nazar/contract/cameras.ts';
import type {
  GapCause,
  RecordingMode,
  RecordingState,
  RecordingType,
} from '@nazar/contract/recording-states.ts';

/** Why and how a camera is recorded, as far as `recordings` knows. */
export interface CameraRecording {
  readonly reason: RecordingType | null;
  readonly state: RecordingState;
  /** The modes for which its settings record it while it is active. */
  readonly modes: readonly RecordingMode[];
  /** Why it is not recorded although it should be; null: it is recorded, or should not be. */
  readonly cause: GapCause | null;
}

/** A camera that sends nothing is not recorded, even if its recorder has not reported that yet, a moment later. */
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
