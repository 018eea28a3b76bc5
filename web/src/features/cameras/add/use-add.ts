import { CameraFields } from '@nazar/contract/cameras.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { showProblem } from '#parts/use-contract-form.ts';
import type { FieldsProps } from '../camera-fields.tsx';
import { useSaveCamera } from '../queries.ts';
import { toggleRecording } from '../toggle-recording.ts';

/** Adds what stands in the form, and begins to record it where that was asked for. */
export function useAdd(
  form: FieldsProps['form'],
  isRecorded: boolean,
  onAdded: (sentence: string) => void,
) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const save = useSaveCamera(null);
  /** Names of the fields that the server refused. */
  const add = async (): Promise<readonly string[]> => {
    setRefused(null);
    try {
      const { id, status } = await save.mutateAsync(CameraFields.parse(form.getValues()));
      const trouble = isRecorded && status === 'active' ? await recordingTrouble(id) : null;
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

/** The camera is there whatever becomes of its recording: null when it began. */
async function recordingTrouble(id: string): Promise<string | null> {
  try {
    await toggleRecording(id, true);
    return null;
  } catch (error) {
    return problemSentence(error);
  }
}
