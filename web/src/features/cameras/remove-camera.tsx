import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { useRemoveCamera } from './queries.ts';

export interface RemoveCameraProps {
  camera: Camera;
  onRemoved: () => void;
  onCancel: () => void;
}

export function RemoveCamera({ camera, onRemoved, onCancel }: RemoveCameraProps) {
  const { t } = useTranslation();
  const remove = useRemoveCamera();
  return (
    <AlertDialog
      open
      title={t('cameras.deleteTitle')}
      description={`${t('cameras.deleteText', { name: camera.name })} ${t('cameras.deleteKeeps')}`}
      confirmLabel={t('cameras.delete')}
      danger
      busy={remove.isPending}
      error={remove.isError ? <Banner tone="error">{t('cameras.deleteFailed')}</Banner> : null}
      onConfirm={() => remove.mutate(camera.id, { onSuccess: onRemoved })}
      onClose={onCancel}
    />
  );
}
