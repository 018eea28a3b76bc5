import { PlugZap } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { FormTest } from './use-connection-test.ts';

/** The button, and what came of the test: a picture where there is one. */
export function TestConnection({ test }: { test: FormTest }) {
  const { t } = useTranslation();
  const { isRunning, said, still } = test;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button look="secondary" type="button" busy={isRunning} onClick={test.start}>
          <PlugZap aria-hidden />
          {t('cameras.test')}
        </Button>
        {isRunning && <output className="text-meta text-muted">{t('cameras.testing')}</output>}
      </div>
      {still !== null && (
        <img
          src={`data:image/jpeg;base64,${still}`}
          alt={t('cameraAdding.still')}
          className="max-h-72 w-full rounded-control bg-surface-3 object-contain"
        />
      )}
      {said !== null && (
        <Banner tone={said.tone} onClose={test.dismiss}>
          {said.text}
        </Banner>
      )}
    </div>
  );
}
