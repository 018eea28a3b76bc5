/** Why a camera is recorded, or why not, as one sentence: "Recording on schedule", "Not recording: the disk is full". */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';

/** Null: there is nothing to say beyond "Not Recording", because nobody wants it recorded while it is not active. */
export function useRecordingSentence(camera: Camera): string | null {
  const { t } = useTranslation();
  const { recording_state: state, recording_reason: reason } = camera;
  if (state === 'recording') {
    return reason === null ? null : t(`recordingControl.recorded.${reason}`);
  }
  if (state === 'off' && (camera.status !== 'active' || camera.is_recording)) return null;
  return t(`recordingControl.state.${state}`);
}
