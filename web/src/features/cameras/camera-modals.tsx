/** What opens above the list: one thing at a time. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { RecordingSettings } from '#parts/recording-settings/recording-settings.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { AddCamera } from './add/add-camera.tsx';
import { copyOf } from './add/new-camera.ts';
import { CameraForm } from './camera-form.tsx';
import { CameraHistory } from './camera-history.tsx';
import { CameraViewers } from './camera-viewers.tsx';
import { RemoveCamera } from './remove-camera.tsx';
import { ZonesDialog } from './zones/zones-dialog.tsx';

/** What is asked or shown of one camera. */
export type CameraDialog =
  'edit' | 'clone' | 'remove' | 'viewers' | 'history' | 'zones' | 'recordingSettings';

export type Modal =
  { readonly kind: 'add' } | { readonly kind: CameraDialog; readonly camera: Camera };

export interface CameraModalsProps {
  modal: Modal;
  onClose: () => void;
  /** It is done: the sentence to show. */
  onDone: (sentence: string) => void;
}

export function CameraModals({ modal, onClose, onDone }: CameraModalsProps) {
  const { t } = useTranslation();
  if (modal.kind === 'viewers') return <CameraViewers camera={modal.camera} onClose={onClose} />;
  if (modal.kind === 'history') return <CameraHistory camera={modal.camera} onClose={onClose} />;
  if (modal.kind === 'zones') {
    return (
      <ZonesDialog
        camera={modal.camera}
        onSaved={() => onDone(t('zones.saved'))}
        onClose={onClose}
      />
    );
  }
  if (modal.kind === 'recordingSettings') {
    return (
      <RecordingSettings
        camera={modal.camera}
        onSaved={() => onDone(t('recordingSettings.saved'))}
        onClose={onClose}
      />
    );
  }
  if (modal.kind === 'remove') {
    return (
      <RemoveCamera
        camera={modal.camera}
        onRemoved={() => onDone(t('cameras.deleted'))}
        onCancel={onClose}
      />
    );
  }
  if (modal.kind === 'add') {
    return <AddCamera onAdded={onDone} onClose={onClose} />;
  }
  const isCopy = modal.kind === 'clone';
  const { camera } = modal;
  return (
    <Dialog
      open
      title={isCopy ? t('cameras.addTitle') : t('cameras.editTitle')}
      width="large"
      onClose={onClose}
    >
      <CameraForm
        camera={isCopy ? null : camera}
        {...(isCopy && {
          start: copyOf(camera, (name) => t('cameraAdding.copyName', { name })),
          lacksPassword: camera.has_password,
        })}
        onSaved={() => onDone(isCopy ? t('cameras.added') : t('cameras.updated'))}
        onCancel={onClose}
      />
    </Dialog>
  );
}
