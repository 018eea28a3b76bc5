import { useTranslation } from '#lib/i18n.ts';
import { AlertDialog } from './alert-dialog.tsx';

export interface DiscardDialogProps {
  open: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}

/** Asks before something that was typed is lost. */
export function DiscardDialog({ open, onKeep, onDiscard }: DiscardDialogProps) {
  const { t } = useTranslation();
  return (
    <AlertDialog
      open={open}
      title={t('ui.discardTitle')}
      description={t('ui.discardText')}
      confirmLabel={t('ui.discard')}
      cancelLabel={t('ui.keepEditing')}
      danger
      onClose={onKeep}
      onConfirm={onDiscard}
    />
  );
}
