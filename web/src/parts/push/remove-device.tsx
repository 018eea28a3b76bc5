import type { PushDevice } from '@nazar/contract/push.ts';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { useRemoveDevice } from './queries.ts';

export interface RemoveDeviceProps {
  device: PushDevice;
  onClose: () => void;
}

/** Names what gets no more messages. */
export function RemoveDevice({ device, onClose }: RemoveDeviceProps) {
  const { t } = useTranslation();
  const remove = useRemoveDevice();
  return (
    <AlertDialog
      open
      danger
      title={t('push.removeTitle')}
      description={t('push.removeText', { name: device.name })}
      confirmLabel={t('push.removeDevice')}
      busy={remove.isPending}
      error={remove.isError ? <Banner tone="error">{problemSentence(remove.error)}</Banner> : null}
      onConfirm={() => remove.mutate(device.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
