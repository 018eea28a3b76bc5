import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { Dialog } from '#ui/dialog.tsx';

const { Component: DeleteAccountForm } = onDemand<{ onClose: () => void }>(
  async () => (await import('./delete-account-form.tsx')).DeleteAccountForm,
);

/** The one modal of the avatar menu, the profile and the security page. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      width="small"
      title={t('deleteAccount.action')}
      description={t('deleteAccount.text')}
    >
      {open && <DeleteAccountForm onClose={onClose} />}
    </Dialog>
  );
}
