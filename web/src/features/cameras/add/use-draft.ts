import type { CameraFields } from '@nazar/contract/cameras.ts';
import { useEffect } from 'react';
import { useUser } from '#api/session.ts';
import { isReloaded } from '#lib/reloaded.ts';
import { cameraDraft } from '#lib/storage.ts';
import type { FieldsProps } from '../camera-fields.tsx';
import type { NewRecording } from './new-recording.tsx';
import { draftOf, readDraft, written, type Draft, type Step } from './draft.ts';

/** What a reload left behind, for the account that typed it. */
export function useDraft(): Draft | null {
  const { id } = useUser();
  return isReloaded ? readDraft(id, cameraDraft.get()) : null;
}

/** Keeps what stands in the form as long as it is open, and forgets it when it closes. A reload closes nothing. */
export function useKeepDraft(form: FieldsProps['form'], step: Step, recording: NewRecording): void {
  const { id } = useUser();
  useEffect(() => {
    const keep = (): void =>
      cameraDraft.set(
        written(id, draftOf(step, form.getValues() as Partial<CameraFields>, recording)),
      );
    keep();
    return form.subscribe({ formState: { values: true }, callback: keep });
  }, [form, id, step, recording]);
  useEffect(() => () => cameraDraft.set(null), []);
}
