import { CameraFields, type Camera } from '@nazar/contract/cameras.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Problem } from '#api/problem.ts';
import { showProblem, useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Arriving } from './arriving.tsx';
import { ConnectionFields, GeneralFields, PictureFields } from './camera-fields.tsx';
import { newCamera } from './add/new-camera.ts';
import { FindCameras } from './find/find-cameras.tsx';
import { fieldsOf, useSaveCamera } from './queries.ts';
import { TestConnection } from './test-connection.tsx';

export interface CameraFormProps {
  /** Null: a new one. */
  camera: Camera | null;
  /** What a new one begins with. */
  start?: CameraFields;
  onSaved: () => void;
  onCancel: () => void;
}

export function CameraForm({ camera, start = newCamera, onSaved, onCancel }: CameraFormProps) {
  const { t } = useTranslation();
  const [refused, setRefused] = useState<string | null>(null);
  const form = useContractForm(CameraFields, camera === null ? start : fieldsOf(camera));
  const save = useSaveCamera(camera);
  const { setFocus } = form;
  // The dialog would begin at its Close button.
  useEffect(() => setFocus('name'), [setFocus]);
  const submit = form.handleSubmit(async (values) => {
    setRefused(null);
    try {
      await save.mutateAsync(values);
      onSaved();
    } catch (error) {
      if (error instanceof Problem && error.code === 'camera_password_required') {
        form.setError('password', { type: 'server', message: error.detail }, { shouldFocus: true });
        return;
      }
      const rest = showProblem(form, error);
      const failed = camera === null ? t('cameras.addFailed') : t('cameras.updateFailed');
      setRefused(rest === null ? failed : `${failed} ${rest}`);
    }
  });

  return (
    <form noValidate className="grid gap-6" onSubmit={(event) => void submit(event)}>
      {refused !== null && <Banner tone="error">{refused}</Banner>}
      <GeneralFields form={form} camera={camera} />
      {camera?.is_demo !== true && <FindCameras form={form} camera={camera} />}
      <ConnectionFields form={form} camera={camera} />
      {camera?.is_demo !== true && <TestConnection form={form} camera={camera} />}
      <PictureFields form={form} />
      {camera !== null && <Arriving camera={camera} />}
      <FormActions
        label={camera === null ? t('cameras.add') : t('cameras.save')}
        busy={save.isPending}
        onCancel={onCancel}
        className="mt-0!"
      />
    </form>
  );
}
