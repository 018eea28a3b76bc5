/** Opens the settings of a camera's recordings. Their code and their sentences come with the first opening. */
import { needSentences } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import type { RecordingSettingsProps } from './recording-settings-dialog.tsx';

export const { Component: RecordingSettings } = onDemand<RecordingSettingsProps>(async () => {
  const [{ RecordingSettingsDialog }] = await Promise.all([
    import('./recording-settings-dialog.tsx'),
    needSentences('recording-settings-dialog'),
  ]);
  return RecordingSettingsDialog;
});
