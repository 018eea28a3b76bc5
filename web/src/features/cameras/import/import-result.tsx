import type { ImportOutcome } from '@nazar/contract/camera-import.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { FailedList } from '../several/failed-list.tsx';

export interface ImportResultProps {
  outcome: readonly ImportOutcome[];
  /** To what is still in the file. */
  onBack: () => void;
  onClose: () => void;
}

/** How many were added, and of each that was not why. */
export function ImportResult({ outcome, onBack, onClose }: ImportResultProps) {
  const { t } = useTranslation();
  const failed = outcome.filter(({ camera }) => camera === null);
  const done = t('cameraImport.done', { count: outcome.length - failed.length });
  return (
    <div className="grid gap-3">
      <Banner tone="error">
        {done} {t('cameraImport.failed', { count: failed.length })}
      </Banner>
      <FailedList
        failed={failed.map(({ key, name, fault }) => ({
          key,
          name,
          why: t(`cameraImport.faults.${fault ?? 'no_source'}`),
        }))}
      />
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button onClick={onBack}>{t('cameraImport.again')}</Button>
      </Actions>
    </div>
  );
}
