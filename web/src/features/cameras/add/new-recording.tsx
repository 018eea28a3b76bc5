/**
 * What a new camera is recorded for, and the room there is for it. Days are forecast from what a camera
 * really recorded: of a new one the room is all that is known.
 */
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import type { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { usualRetentionDays } from '@nazar/contract/recording-states.ts';
import { useQuery } from '@tanstack/react-query';
import { ask } from '#api/query.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useBytes } from '#lib/use-bytes.ts';
import { SelectField } from '#ui/fields.tsx';

export const newRecordings = ['motion', 'continuous', 'none'] as const;
export type NewRecording = (typeof newRecordings)[number];

/** What has to be changed of a new camera's settings; null: it is recorded on motion anyway. */
export const settingsFor = (chosen: NewRecording): RecordingSettingsPatch | null =>
  chosen === 'motion'
    ? null
    : { motionDetection: false, continuousRecording: chosen === 'continuous' };

/** Null: no disk answers, or it is not known yet. */
function useRoom(): string | null {
  const { t } = useTranslation();
  const bytes = useBytes();
  const { data } = useQuery(ask('recordings', recordingRoutes.statistics, { query: {} }));
  const storage = data?.storage ?? null;
  return storage && t('cameraAdding.room', { size: bytes(storage.free_bytes) });
}

export interface NewRecordingFieldProps {
  value: NewRecording;
  onValue: (value: NewRecording) => void;
}

export function NewRecordingField({ value, onValue }: NewRecordingFieldProps) {
  const { t } = useTranslation();
  const room = useRoom();
  const hints = {
    motion: t('recordingSettings.motionHint'),
    continuous: null,
    none: t('recordingSettings.nothingPlanned'),
  };
  const kept =
    value === 'none' ? [] : [t('cameraAdding.kept', { count: usualRetentionDays }), room];
  return (
    <SelectField
      label={t('cameraAdding.recording')}
      hint={[hints[value], ...kept].filter(Boolean).join(' ')}
      options={newRecordings.map((one) => ({
        value: one,
        label: t(`cameraAdding.recordings.${one}`),
      }))}
      value={value}
      onChange={({ target }) => onValue(target.value as NewRecording)}
    />
  );
}

/** For the form that has no choice of it. */
export function NewRecordingNote() {
  const { t } = useTranslation();
  const room = useRoom();
  const kept = t('cameraAdding.kept', { count: usualRetentionDays });
  return (
    <p className="text-meta text-muted">
      {[t('cameraAdding.recordedOnMotion'), kept, room].filter(Boolean).join(' ')}
    </p>
  );
}
