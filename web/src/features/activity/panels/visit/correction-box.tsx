/** "Not this person" for a visit with a wrong name, and taking that back, for users who may say so. */
import type { DetailedVisit } from '@nazar/contract/visits.ts';
import { Undo2, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { usePersonName } from '../use-person-name.ts';
import { useCorrection, type Correction } from './visit.ts';

export function CorrectionBox({ visit }: { visit: DetailedVisit }) {
  const { t } = useTranslation();
  const change = useCorrection(visit.id);
  const name = usePersonName()(visit);
  const [done, setDone] = useState<string | null>(null);
  const isMarked = visit.is_corrected && !visit.is_recognized;
  if (!visit.may_correct && !isMarked && done === null) return null;

  const say = (correction: Correction, sentence: string): void => {
    setDone(null);
    change.mutate(correction, { onSuccess: () => setDone(sentence) });
  };
  return (
    <section aria-label={t('visit.correction')} className="grid grid-cols-1 gap-2">
      {done !== null && <Banner tone="success">{done}</Banner>}
      {change.isError && <Banner tone="error">{problemSentence(change.error)}</Banner>}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-control bg-surface-2 px-3 py-2 text-ui">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          {isMarked ? t('visit.isMarked') : t('visit.markHint', { name })}
        </p>
        {visit.may_correct &&
          (isMarked ? (
            <Button
              look="secondary"
              size="small"
              busy={change.isPending}
              onClick={() => say('takeBack', t('visit.takenBack'))}
            >
              <Undo2 aria-hidden />
              {t('visit.takeBack')}
            </Button>
          ) : (
            <Button
              look="secondary"
              size="small"
              busy={change.isPending}
              onClick={() => say('mark', t('visit.marked', { name }))}
            >
              <UserRoundX aria-hidden />
              {t('visit.mark')}
            </Button>
          ))}
      </div>
    </section>
  );
}
