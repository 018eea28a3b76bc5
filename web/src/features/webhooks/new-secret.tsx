import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { CopyField } from '#ui/copy-field.tsx';

/** The secret itself: in this dialog and nowhere else, neither in a cache nor in the browser's storage. */
export function NewSecret({ value, onDone }: { value: string; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3">
      <Banner tone="info">{t('webhooks.secretOnce')}</Banner>
      <CopyField
        label={t('webhooks.secret')}
        hint={t('webhooks.secretUse')}
        value={value}
        copyLabel={t('keys.copy')}
        copiedLabel={t('keys.copied')}
        mono
      />
      <Actions>
        <Button onClick={onDone}>{t('keys.done')}</Button>
      </Actions>
    </div>
  );
}
