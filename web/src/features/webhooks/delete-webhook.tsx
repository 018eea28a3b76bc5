import type { Webhook } from '@nazar/contract/webhooks.ts';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Banner } from '#ui/banner.tsx';
import { useRemoveWebhook } from './queries.ts';

export interface DeleteWebhookProps {
  webhook: Webhook;
  onClose: () => void;
  onNotice: (text: string) => void;
}

/** Names what goes with it. */
export function DeleteWebhook({ webhook, onClose, onNotice }: DeleteWebhookProps) {
  const { t } = useTranslation();
  const remove = useRemoveWebhook();
  const confirm = (): void =>
    remove.mutate(webhook.id, {
      onSuccess: () => {
        onNotice(t('webhooks.deleted'));
        onClose();
      },
    });
  return (
    <AlertDialog
      open
      danger
      title={t('webhooks.deleteTitle')}
      description={t('webhooks.deleteText', { name: webhook.name })}
      confirmLabel={t('webhooks.delete')}
      busy={remove.isPending}
      error={remove.isError ? <Banner tone="error">{problemSentence(remove.error)}</Banner> : null}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
