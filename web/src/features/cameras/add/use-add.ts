import { CameraFields } from '@nazar/contract/cameras.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import type { RecordingSettingsPatch } from '@nazar/contract/recording-plans.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { showProblem } from '#parts/use-contract-form.ts';
import type { FieldsProps } from '../camera-fields.tsx';
import { useSaveCamera } from '../queries.ts';
import { settingsFor, type NewRecording } from './new-recording.tsx';

/** Adds what stands in the form, and sets what it is recorded for where that is not as usual. */
export function useAdd(
  form: FieldsProps['form'],
  recording: NewRecording,
  onAdded: (sentence: string) => void,
) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const save = useSaveCamera(null);
  /** Names of the fields that the server refused. */
  const add = async (): Promise<readonly string[]> => {
    setRefused(null);
    try {
      const { id } = await save.mutateAsync(CameraFields.parse(form.getValues()));
      const trouble = await recordingTrouble(id, settingsFor(recording));
      onAdded([t('cameras.added'), trouble].filter(Boolean).join(' '));
      return [];
    } catch (error) {
      const rest = showProblem(form, error);
      setRefused([t('cameras.addFailed'), rest].filter(Boolean).join(' '));
      return error instanceof Problem ? Object.keys(error.fields) : [];
    }
  };
  return { add, refused, isBusy: save.isPending };
}

/** The camera is there whatever becomes of its settings: null when they are as they were chosen. */
async function recordingTrouble(
  id: string,
  body: RecordingSettingsPatch | null,
): Promise<string | null> {
  if (body === null) return null;
  try {
    await call(recordingRoutes.changeSettings, { params: { id }, body });
    return null;
  } catch (error) {
    return problemSentence(error);
  }
}
