/** The secret of a webhook: another one, while that of before signs as well. */
import type { Webhook } from '@nazar/contract/webhooks.ts';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { NewSecret } from './new-secret.tsx';
import { useEndOldSecret, useRotateSecret } from './queries.ts';

export interface SecretDialogProps {
  webhook: Webhook;
  onClose: () => void;
}

export function SecretDialog({ webhook, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Dialog open title={t('webhooks.secretTitle', { name: webhook.name })} onClose={onClose}>
      {secret === null ? (
        <Changing webhook={webhook} onClose={onClose} onSecret={setSecret} />
      ) : (
        <NewSecret value={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface ChangingProps extends SecretDialogProps {
  onSecret: (secret: string) => void;
}

function Changing({ webhook, onClose, onSecret }: ChangingProps) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const rotate = useRotateSecret();
  const end = useEndOldSecret();
  const error = rotate.error ?? end.error;
  const { id, old_secret_until: until } = webhook;
  return (
    <div className="grid gap-4">
      {error !== null && <Banner tone="error">{problemSentence(error)}</Banner>}
      <p className="text-ui">{t('webhooks.rotateText')}</p>
      {until !== null && (
        <div className="grid justify-items-start gap-2">
          <p className="text-ui">{t('webhooks.endOldText', { time: formatTime(until) })}</p>
          <Button
            look="secondary"
            busy={end.isPending}
            onClick={() => end.mutate(id, { onSuccess: onClose })}
          >
            {t('webhooks.endOld')}
          </Button>
        </div>
      )}
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.cancel')}
        </Button>
        <Button
          busy={rotate.isPending}
          onClick={() => rotate.mutate(id, { onSuccess: ({ secret }) => onSecret(secret) })}
        >
          {t('webhooks.rotate')}
        </Button>
      </Actions>
    </div>
  );
}
