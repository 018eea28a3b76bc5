import type { OneTimeLink } from '@nazar/contract/recovery.ts';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#lib/format.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { Input } from '#ui/input.tsx';

/** C-116: shown this once, to be handed to its owner. */
export function LinkBox({ link, email }: { link: OneTimeLink; email: string }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const [copied, setCopied] = useState(false);
  // Where the installation does not know its own address, it is the one this page came from.
  const url = link.url ?? location.origin + link.path;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      setCopied(false); // not allowed here: the field holds it, selected by a click
    }
  };
  return (
    <div className="grid gap-3">
      <Banner tone={link.mailed ? 'success' : 'info'}>
        {link.mailed ? t('users.linkMailed', { email }) : t('users.linkHandOver', { email })}
      </Banner>
      <Field
        label={t('users.link')}
        hint={t('users.linkUntil', { time: formatTime(link.expires_at) })}
      >
        {(attributes) => (
          <span className="flex gap-2">
            <Input
              readOnly
              value={url}
              className="min-w-0 flex-1"
              onFocus={({ target }) => target.select()}
              {...attributes}
            />
            <Button look="secondary" onClick={() => void copy()}>
              {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
              {copied ? t('users.copied') : t('users.copy')}
            </Button>
          </span>
        )}
      </Field>
    </div>
  );
}
