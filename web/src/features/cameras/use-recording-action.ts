import type { Camera } from '@nazar/contract/cameras.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { Problem } from '#api/problem.ts';
import { patchCamera } from '#api/known-cameras.ts';
import { refresh } from '#api/query.ts';
import { isStoppedByHand } from './camera-words.ts';
import type { Notice } from './use-status-action.ts';

/**
 * Nothing is said or shown before the server confirms it. What settings record is not
 * stopped by hand: `openSettings` leads to them.
 */
export function useRecordingAction(
  say: (notice: Notice) => void,
  openSettings: (camera: Camera) => void,
): (camera: Camera) => void {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async (camera: Camera) => {
      const { toggleRecording } = await import('./toggle-recording.ts');
      return toggleRecording(camera.id, !isStoppedByHand(camera));
    },
    onSuccess: (answer, camera) => {
      patchCamera(client, camera.id, answer);
      const { name } = camera;
      if (!isStoppedByHand(camera)) {
        say({ tone: 'success', text: t('recordingControl.started', { name }) });
        return;
      }
      const stopped = t('recordingControl.stopped', { name });
      // Its settings go on recording it.
      const goesOn = answer.is_recording ? ` ${t('recordingControl.goesOn')}` : '';
      say({ tone: 'success', text: stopped + goesOn });
    },
    onError: (error, camera) => {
      const leads = error instanceof Problem && error.code === 'recording_by_settings';
      say({
        tone: 'error',
        text: refusalOf(error) ?? t('recordingControl.failed'),
        ...(leads && {
          action: {
            label: t('recordingControl.settings'),
            choose: () => openSettings(camera),
          },
        }),
      });
    },
    onSettled: () => Promise.all([refresh(client, 'cameras'), refresh(client, 'recordings')]),
  });
  return mutate;
}

/** The server's reason, where trying again would not help. */
function refusalOf(error: unknown): string | null {
  if (!(error instanceof Problem) || error.detail === '') return null;
  return error.status >= 400 && error.status < 500 && error.status !== 429 ? error.detail : null;
}
