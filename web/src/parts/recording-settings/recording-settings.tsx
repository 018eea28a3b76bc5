/** Opens the settings of a camera's recordings. Their code and their sentences come with the first opening. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { needSentences } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';

export interface RecordingSettingsProps {
  camera: Camera;
  onClose: () => void;
  /** Absent: it closes. */
  onSaved?: () => void;
}

export const { Component: RecordingSettings } = onDemand<RecordingSettingsProps>(async () => {
  const [{ RecordingSettingsDialog }] = await Promise.all([
    import('./recording-settings-dialog.tsx'),
    needSentences('recording-settings-dialog'),
  ]);
  return RecordingSettingsDialog;
});
