/**
 * Adds a camera in steps: its address, a connection test, its name, its use. All steps share one form, so that going
 * back and forth loses nothing; 'All settings' opens it as a whole.
 */
import { CameraFields } from '@nazar/contract/cameras.ts';
import type { DeviceStream } from '@nazar/contract/devices.ts';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { useUnsaved } from '#lib/unsaved.ts';
import { useContractForm } from '#parts/use-contract-form.ts';
import { Dialog } from '#ui/dialog.tsx';
import { CameraForm } from '../camera-form.tsx';
import type { ImportCamerasProps } from '../import/import-cameras.tsx';
import { AddSteps } from './add-steps.tsx';
import { newCamera } from './new-camera.ts';
import { useDraft, useKeepDraft } from './use-draft.ts';

const { Component: ImportCameras } = onDemand<ImportCamerasProps>(
  async () => (await import('../import/import-cameras.tsx')).ImportCameras,
);

/** Asks before what was typed is lost: fields of past steps, or of those before 'All settings', are on no screen. */
function HeldInSteps({ isUnsaved }: { isUnsaved: boolean }) {
  useUnsaved(() => isUnsaved);
  return null;
}

export interface AddCameraProps {
  /** Gets the sentence to show. */
  onAdded: (sentence: string) => void;
  onClose: () => void;
}

type Way = 'steps' | 'form' | 'import';

export function AddCamera({ onAdded, onClose }: AddCameraProps) {
  const { t } = useTranslation();
  const [way, setWay] = useState<Way>('steps');
  const [suggested, setSuggested] = useState<DeviceStream | null>(null);
  const [draft] = useState(useDraft());
  const [step, setStep] = useState(draft?.step ?? 'address');
  const form = useContractForm(CameraFields, draft?.fields ?? newCamera);
  const isTyped = draft !== null || form.formState.isDirty;
  const [recording, setRecording] = useState(draft?.recording ?? 'motion');
  useKeepDraft(form, step, recording);
  const added = (): void => onAdded(t('cameras.added'));
  return (
    <Dialog
      open
      title={way === 'import' ? t('cameraImport.title') : t('cameras.addTitle')}
      width="large"
      onClose={onClose}
    >
      <HeldInSteps isUnsaved={isTyped && way !== 'import'} />
      {way === 'steps' && (
        <AddSteps
          form={form}
          step={step}
          onStep={setStep}
          recording={recording}
          onRecording={setRecording}
          lacksSecrets={draft?.lacksSecrets === true}
          suggested={suggested}
          onSuggested={setSuggested}
          onAdded={onAdded}
          onAllSettings={() => setWay('form')}
          onImport={() => setWay('import')}
          onCancel={onClose}
        />
      )}
      {way === 'form' && (
        <CameraForm
          camera={null}
          start={{ ...newCamera, ...form.getValues() } as CameraFields}
          onSaved={added}
          onCancel={onClose}
        />
      )}
      {way === 'import' && <ImportCameras onImported={onAdded} onCancel={onClose} />}
    </Dialog>
  );
}
