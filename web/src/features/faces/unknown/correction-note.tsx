import { Undo2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { mayReviewUnknown } from '#api/rights.ts';
import { problemSentence } from '#api/problem.ts';
import { useChange } from '#api/query.ts';
import { useUser } from '#api/session.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import type { StrangerStepProps } from './stranger-step.ts';
import { changes } from './strangers.ts';

/** What was said of them last, and the way back. */
export function CorrectionNote({ stranger, onSaid }: StrangerStepProps) {
  const { t } = useTranslation();
  const mayReview = mayReviewUnknown(useUser());
  const undo = useChange('faces', (correction: string) => changes.undo(stranger.id, correction));
  if (stranger.correction === null) return null;
  const { id, kind, created_at } = stranger.correction;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-surface-2 px-3 py-2 text-ui">
        <span>
          {t(`strangers.said.${kind}`)}
          <span className="block text-meta text-muted">
            <TimeAgo at={created_at} />
          </span>
        </span>
        {mayReview && (
          <Button
            look="secondary"
            size="small"
            busy={undo.isPending}
            onClick={() =>
              undo.mutate(id, { onSuccess: (now) => onSaid(now, t('strangers.undone')) })
            }
          >
            <Undo2 aria-hidden />
            {t('strangers.undo')}
          </Button>
        )}
      </div>
      {undo.isError && <Banner tone="error">{problemSentence(undo.error)}</Banner>}
    </div>
  );
}
