import { useTranslation } from '#lib/i18n.ts';
import { MadeSecret } from '#parts/made-secret.tsx';

/** The secret of a webhook, once. */
export function NewSecret({ value, onDone }: { value: string; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <MadeSecret
      text={t('webhooks.secretOnce')}
      label={t('webhooks.secret')}
      hint={t('webhooks.secretUse')}
      {...{ value, onDone }}
    />
  );
}
