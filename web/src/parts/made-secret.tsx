import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { CopyField } from '#ui/copy-field.tsx';

export interface MadeSecretProps {
  /** Says that it is shown once. */
  text: string;
  label: string;
  hint?: string;
  value: string;
  onDone: () => void;
}

/** The secret itself: in this dialog and nowhere else, neither in a cache nor in the browser's storage. */
export function MadeSecret({ text, onDone, ...field }: MadeSecretProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3">
      <Banner tone="info">{text}</Banner>
      <CopyField {...field} copyLabel={t('keys.copy')} copiedLabel={t('keys.copied')} mono />
      <Actions>
        <Button onClick={onDone}>{t('keys.done')}</Button>
      </Actions>
    </div>
  );
}
