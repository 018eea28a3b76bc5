import type { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';

/** What was answered about another camera never stands for it. */
export const settingsQuery = (id: string) => ({
  ...ask('recordings', recordingRoutes.settings, { params: { id } }),
  placeholderData: () => undefined,
});

/** The forecast before it stays in sight while the next one is made. */
export const forecastQuery = (id: string, body: RecordingSettingsPatch) =>
  ask('recordings', recordingRoutes.forecast, { params: { id }, body });

/** What is recorded follows at once: the cameras say so. */
export function useSaveSettings(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RecordingSettingsPatch) =>
      call(recordingRoutes.changeSettings, { params: { id }, body }),
    onSuccess: (saved) => client.setQueryData(settingsQuery(id).queryKey, saved),
    onSettled: () => Promise.all([refresh(client, 'recordings'), refresh(client, 'cameras')]),
  });
}
