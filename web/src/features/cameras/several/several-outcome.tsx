import type { Camera } from '@nazar/contract/cameras.ts';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { FailedList } from './failed-list.tsx';
import type { Outcome } from './run-several.ts';

export interface SeveralOutcomeProps {
  outcome: Outcome<Camera>;
  onRetry: (cameras: readonly Camera[]) => void;
  onClose: () => void;
}

/** '18 done, 2 failed', and of each that failed why. */
export function SeveralOutcome({ outcome, onRetry, onClose }: SeveralOutcomeProps) {
  const { t } = useTranslation();
  const { done, failed, left } = outcome;
  const parts = [
    t('cameraSelection.done', { count: done.length }),
    failed.length > 0 && t('cameraSelection.failed', { count: failed.length }),
    left.length > 0 && t('cameraSelection.left', { count: left.length }),
  ];
  return (
    <div className="grid gap-3">
      <Banner tone={failed.length > 0 ? 'error' : 'success'}>{joined(parts, ', ')}</Banner>
      {failed.length > 0 && (
        <FailedList
          failed={failed.map(({ item: { id, name }, error }) => ({
            key: id,
            name,
            why: problemSentence(error),
          }))}
        />
      )}
      <Actions>
        <Button look="secondary" onClick={onClose}>
          {t('ui.close')}
        </Button>
        {failed.length > 0 && (
          <Button onClick={() => onRetry(failed.map(({ item }) => item))}>
            {t('cameraSelection.retry')}
          </Button>
        )}
      </Actions>
    </div>
  );
}
