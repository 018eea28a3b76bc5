import type { ImportOutcome } from '@nazar/contract/camera-import.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Actions } from '#ui/dialog.tsx';

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
      <ul className="grid gap-2 text-ui">
        {failed.map(({ key, name, fault }) => (
          <li key={key}>
            <span className="font-medium break-words">{name}</span>
            <span className="block text-meta text-muted">
              {t(`cameraImport.faults.${fault ?? 'no_source'}`)}
            </span>
          </li>
        ))}
      </ul>
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button onClick={onBack}>{t('cameraImport.again')}</Button>
      </Actions>
    </div>
  );
}
