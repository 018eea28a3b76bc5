import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { saveBlob } from '#lib/save-file.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';

function download(codes: readonly string[]): void {
  const text = new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' });
  saveBlob(text, 'nazar-recovery-codes.txt');
}

/** Shown this once. */
export function RecoveryCodeList({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = (): void => {
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div className="grid gap-4">
      <p className="text-ui text-muted">{t('twoFactor.codesText')}</p>
      <ul
        aria-label={t('twoFactor.codes')}
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-surface-2 p-4 text-center font-mono text-body"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {copied !== null && (
        <Banner tone={copied ? 'success' : 'error'}>
          {copied ? t('twoFactor.copied') : t('twoFactor.notCopied')}
        </Banner>
      )}
      <Actions className="mt-0 sm:justify-between">
        <div className="flex flex-col gap-2 sm:flex-row">
          {'clipboard' in navigator && (
            <Button look="secondary" onClick={copy}>
              <Copy aria-hidden />
              {t('twoFactor.copy')}
            </Button>
          )}
          <Button look="secondary" onClick={() => download(codes)}>
            <Download aria-hidden />
            {t('twoFactor.download')}
          </Button>
        </div>
        <Button onClick={onDone}>{t('twoFactor.saved')}</Button>
      </Actions>
    </div>
  );
}
