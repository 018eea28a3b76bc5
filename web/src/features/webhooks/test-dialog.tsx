/** Sends a test as soon as it opens, and says what the receiver answered. */
import type { Webhook, WebhookTest } from '@nazar/contract/webhooks.ts';
import { useEffect } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/data-list.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { useTestWebhook } from './queries.ts';

export interface TestDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

export function TestDialog({ webhook, onClose }: TestDialogProps) {
  const { t } = useTranslation();
  const { mutate, data, error, isPending, isIdle } = useTestWebhook();
  const { id, name } = webhook;
  useEffect(() => mutate(id), [mutate, id]);
  return (
    <Dialog open title={t('webhooks.testTitle', { name })} onClose={onClose}>
      <div className="grid gap-4">
        <output className="block">
          {isPending || isIdle ? (
            <span className="flex items-center gap-2 text-ui">
              <Spinner />
              {t('webhooks.testing')}
            </span>
          ) : (
            data !== undefined && <Result {...data} />
          )}
        </output>
        {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
        <Actions>
          <Button look="secondary" onClick={onClose}>
            {t('ui.close')}
          </Button>
          <Button busy={isPending} onClick={() => mutate(id)}>
            {t('webhooks.testAgain')}
          </Button>
        </Actions>
      </div>
    </Dialog>
  );
}

function Result({ is_delivered, status, fault, took_ms }: WebhookTest) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const answer = status === null ? t('webhooks.noAnswer') : t('webhooks.status', { status });
  return (
    <span className="grid gap-3">
      <Banner tone={is_delivered ? 'success' : 'error'}>
        {is_delivered ? t('webhooks.testOk') : t('webhooks.testFailed')}
        {fault !== null && ` ${t(`webhooks.faults.${fault}`)}`}
      </Banner>
      <Facts
        facts={[
          { name: t('webhooks.answer'), value: answer },
          {
            name: t('webhooks.took'),
            value: t('webhooks.tookMs', { ms: formatNumber(took_ms) }),
          },
        ]}
      />
    </span>
  );
}
