import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions } from '#ui/dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';

/** The key itself: in this dialog and nowhere else, neither in a cache nor in the browser's storage. */
export function NewKey({ value, onDone }: { value: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      setCopied(false); // not allowed here: the field holds it, selected by a click
    }
  };
  return (
    <div className="grid gap-3">
      <Banner tone="info">{t('keys.once')}</Banner>
      <Field label={t('keys.key')}>
        {(attributes) => (
          <span className="flex gap-2">
            <Input
              readOnly
              value={value}
              className="min-w-0 flex-1 font-mono"
              onFocus={({ target }) => target.select()}
              {...attributes}
            />
            <Button look="secondary" onClick={() => void copy()}>
              {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
              {copied ? t('keys.copied') : t('keys.copy')}
            </Button>
          </span>
        )}
      </Field>
      <Actions>
        <Button onClick={onDone}>{t('keys.done')}</Button>
      </Actions>
    </div>
  );
}
