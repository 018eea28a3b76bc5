import { CameraFields, type Camera } from '@nazar/contract/cameras.ts';
import { useEffect } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useContractForm } from '#parts/use-contract-form.ts';
import { Banner } from '#ui/banner.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import { Arriving } from './arriving.tsx';
import { ConnectionFields, GeneralFields, PictureFields } from './camera-fields.tsx';
import { newCamera } from './add/new-camera.ts';
import { NewRecordingNote } from './add/new-recording.tsx';
import { FindCameras } from './find/find-cameras.tsx';
import { LateSave } from './late-save.tsx';
import { fieldsOf } from './queries.ts';
import { TestConnection } from '#parts/connection-test/test-connection.tsx';
import { useConnectionTest } from '#parts/connection-test/use-connection-test.ts';
import { testedOf } from './tested-camera.ts';
import { useSaveForm } from './use-save-form.ts';

export interface CameraFormProps {
  /** Null: a new one. */
  camera: Camera | null;
  /** What a new one begins with. */
  start?: CameraFields;
  /** It is begun as a copy of a camera that has a password, which does not come along. */
  lacksPassword?: boolean;
  onSaved: () => void;
  onCancel: () => void;
}

export function CameraForm(props: CameraFormProps) {
  const { camera, start = newCamera, lacksPassword = false, onSaved, onCancel } = props;
  const { t } = useTranslation();
  const form = useContractForm(CameraFields, camera === null ? start : fieldsOf(camera));
  const saving = useSaveForm(form, camera, onSaved);
  const test = useConnectionTest(() => testedOf(form, camera));
  const { setFocus } = form;
  // The dialog would begin at its Close button.
  useEffect(() => setFocus('name'), [setFocus]);
  return (
    <form noValidate className="grid gap-6" onSubmit={(event) => void saving.submit(event)}>
      {saving.refused !== null && <Banner tone="error">{saving.refused}</Banner>}
      {saving.isLate && (
        <LateSave
          onSaveAnyway={() => void saving.submitAnyway()}
          onReload={() => void saving.reload()}
        />
      )}
      <GeneralFields form={form} camera={camera} />
      {camera?.is_demo !== true && <FindCameras form={form} camera={camera} />}
      <ConnectionFields form={form} camera={camera} lacksPassword={lacksPassword} />
      {camera?.is_demo !== true && <TestConnection test={test} />}
      <PictureFields form={form} camera={camera} />
      {camera === null ? <NewRecordingNote /> : <Arriving camera={camera} />}
      <FormActions
        label={camera === null ? t('cameras.add') : t('cameras.save')}
        busy={saving.isBusy}
        onCancel={onCancel}
        className="mt-0!"
      />
    </form>
  );
}
