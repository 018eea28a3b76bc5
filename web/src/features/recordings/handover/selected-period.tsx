import { LockKeyhole, Scissors, Share, X } from 'lucide-react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { Period } from './period.ts';
import { periodWords } from './words.ts';

/** What is selected first, on either side of the moment that is shown. */
const halfMs = 30_000;

export interface SelectedPeriodProps {
  playback: Pick<RecordedPlayback, 'momentMs'>;
  /** What the handles of the timeline hold; null: there are none. */
  selection: Period | null;
  onSelection: (selection: Period | null) => void;
  onOpen: (dialog: 'export' | 'hold') => void;
}

/** The two handles begin here, and what they hold goes on to an export or a hold. */
export function SelectedPeriod({ playback, selection, onSelection, onOpen }: SelectedPeriodProps) {
  const { t } = useTranslation();
  const mayReadHolds = isAdministrator(useUser());
  const momentMs = useSignal(playback.momentMs);
  const begin = (): void => {
    const atMs = playback.momentMs.get();
    if (atMs !== null) onSelection({ fromMs: atMs - halfMs, untilMs: atMs + halfMs });
  };
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      {selection === null ? (
        <Button look="secondary" size="small" disabled={momentMs === null} onClick={begin}>
          <Scissors aria-hidden />
          {t('handover.select')}
        </Button>
      ) : (
        <span className="inline-flex min-w-0 items-center gap-1 rounded-control bg-surface-2 py-0.5 pr-0.5 pl-2.5">
          <output className="figures text-ui">
            {periodWords(selection.fromMs, selection.untilMs)}
          </output>
          <IconButton small label={t('handover.clearSelection')} onClick={() => onSelection(null)}>
            <X aria-hidden />
          </IconButton>
        </span>
      )}
      <Button look="secondary" size="small" onClick={() => onOpen('export')}>
        <Share aria-hidden />
        {t('handover.openExport')}
      </Button>
      {mayReadHolds && (
        <Button look="secondary" size="small" onClick={() => onOpen('hold')}>
          <LockKeyhole aria-hidden />
          {t('handover.openHold')}
        </Button>
      )}
    </div>
  );
}
