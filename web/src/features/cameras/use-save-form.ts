/** Saves the form of a camera, and says what became of it. */
import { cameraRoutes, type Camera, type CameraFields } from '@nazar/contract/cameras.ts';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { Problem } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { showProblem } from '#parts/use-contract-form.ts';
import type { FieldsProps } from './camera-fields.tsx';
import { fieldsOf, useSaveCamera } from './queries.ts';

/** `camera`: null for a new one. */
export function useSaveForm(form: FieldsProps['form'], camera: Camera | null, onSaved: () => void) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const [isLate, setIsLate] = useState(false);
  // The state of the camera that is changed here: another's is not written over unseen.
  const [seen, setSeen] = useState(camera?.updated_at);
  const save = useSaveCamera(camera);
  const say = (error: unknown): void => {
    if (error instanceof Problem && error.code === 'camera_changed') {
      setIsLate(true);
      return;
    }
    if (error instanceof Problem && error.code === 'camera_password_required') {
      form.refuse('password', error.detail);
      return;
    }
    const rest = showProblem(form, error);
    const failed = camera === null ? t('cameras.addFailed') : t('cameras.updateFailed');
    setRefused([failed, rest].filter(Boolean).join(' '));
  };
  const send = async (values: CameraFields, updatedAt: string | undefined): Promise<void> => {
    setRefused(null);
    setIsLate(false);
    try {
      const isCompared = updatedAt !== undefined;
      await save.mutateAsync({ ...values, ...(isCompared && { updated_at: updatedAt }) });
      onSaved();
    } catch (error) {
      say(error);
    }
  };
  const reload = async (): Promise<void> => {
    if (camera === null) return;
    try {
      const stored = await call(cameraRoutes.read, { params: { id: camera.id } });
      form.reset(fieldsOf(stored));
      setSeen(stored.updated_at);
      setIsLate(false);
    } catch (error) {
      say(error);
    }
  };
  return {
    refused,
    isLate,
    isBusy: save.isPending,
    submit: form.handleSubmit((values) => send(values, seen)),
    submitAnyway: form.handleSubmit((values) => send(values, undefined)),
    reload,
  };
}
