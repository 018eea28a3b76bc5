/** What a reader may do with each camera of the list. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { useSeeing } from '#api/see-as.ts';
import { useUser } from '#api/session.ts';
import type { CameraActions } from './camera-menu.tsx';
import type { CameraDialog, Modal } from './camera-modals.tsx';
import { useRecordingAction } from './use-recording-action.ts';
import { useStatusAction, type Notice } from './use-status-action.ts';
import { useTestAction } from './use-test-action.ts';

export function useCameraActions(
  say: (notice: Notice) => void,
  show: (modal: Modal) => void,
): CameraActions {
  const user = useUser();
  // The server tests nothing for a reader who sees as another user.
  const seesAsAnother = useSeeing() !== null;
  const open =
    (kind: CameraDialog) =>
    (camera: Camera): void =>
      show({ kind, camera });
  const recordingSettings = open('recordingSettings');
  const switchStatus = useStatusAction(say);
  const toggleRecording = useRecordingAction(say, recordingSettings);
  const test = useTestAction(say);
  const changes = {
    switchStatus,
    toggleRecording,
    edit: open('edit'),
    clone: open('clone'),
    remove: open('remove'),
    zones: open('zones'),
  };
  return {
    changes: mayChangeCameras(user) ? changes : null,
    test: seesAsAnother ? null : test,
    viewers: isAdministrator(user) ? open('viewers') : null,
    history: open('history'),
    recordingSettings,
  };
}
