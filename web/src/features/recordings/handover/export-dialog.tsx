/** Exporting what some cameras recorded in a period, as files that can be handed over. */
import type { ExportEstimate } from '@nazar/contract/exports.ts';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { isAskedWrong, problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useDebounced } from '#lib/use-debounced.ts';
import { Actions } from '#ui/actions.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormActions } from '#ui/form-actions.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import { CameraChoice, mostCameras } from './camera-choice.tsx';
import { Exports } from './exports.tsx';
import { asTimes, longestExportHours, type Period } from './period.ts';
import { PeriodFields } from './period-fields.tsx';
import { estimateQuery, useAddExports } from './queries.ts';
import { usePeriod } from './use-period.ts';
import { lengthWords, sizeWords } from './words.ts';

export interface ExportDialogProps {
  /** The cameras that are shown. */
  cameras: readonly NamedCamera[];
  /** What the handles of the timeline hold; null: nothing. */
  selection: Period | null;
  onSelection: (selection: Period) => void;
  onClose: () => void;
}

export function ExportDialog({ cameras, selection, onSelection, onClose }: ExportDialogProps) {
  const { t } = useTranslation();
  const [started, setStarted] = useState<number | null>(null);
  return (
    <Dialog
      open
      title={t('handover.exportTitle')}
      description={started === null ? t('handover.exportText') : undefined}
      onClose={onClose}
    >
      {started === null ? (
        <ExportForm
          cameras={cameras}
          selection={selection}
          onSelection={onSelection}
          onStarted={setStarted}
          onClose={onClose}
        />
      ) : (
        <>
          <Banner tone="success">{t('handover.started', { count: started })}</Banner>
          <Exports />
          <Actions>
            <Button look="secondary" onClick={() => setStarted(null)}>
              {t('handover.another')}
            </Button>
            <Button onClick={onClose}>{t('ui.close')}</Button>
          </Actions>
        </>
      )}
    </Dialog>
  );
}

interface ExportFormProps extends ExportDialogProps {
  onStarted: (count: number) => void;
}

function ExportForm({
  cameras: shown,
  selection,
  onSelection,
  onStarted,
  onClose,
}: ExportFormProps) {
  const { t } = useTranslation();
  const [cameras, setCameras] = useState(shown);
  const [wasSent, setSent] = useState(false);
  const control = usePeriod({ selection, onSelection, longestHours: longestExportHours });
  const { period } = control;
  const { estimates, refusal } = useEstimates(cameras, period);
  const add = useAddExports();
  const recorded = cameras.filter(
    ({ id }) => estimates?.find(({ camera_id: of }) => of === id)?.seconds !== 0,
  );
  const isNothing = cameras.length > 0 && recorded.length === 0;
  const obstacle = obstacleOf(cameras.length);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setSent(true);
    if (period === null || obstacle !== null || isNothing || add.isPending) return;
    const fields = { cameras: recorded.map(({ id }) => id), ...asTimes(period) };
    add.mutate(fields, { onSuccess: ({ results }) => onStarted(results.length) });
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {add.isError && <Banner tone="error">{problemSentence(add.error)}</Banner>}
      <PeriodFields control={control} wasSent={wasSent} />
      {refusal !== null && !add.isError && <Banner tone="error">{refusal}</Banner>}
      <CameraChoice
        cameras={cameras}
        onCameras={setCameras}
        estimates={estimates}
        error={
          obstacle === null ? undefined : t(`handover.obstacle.${obstacle}`, { count: mostCameras })
        }
      />
      <output className="block">
        {isNothing && period !== null ? (
          <p className="text-ui text-danger-text">{t('handover.nothing')}</p>
        ) : (
          estimates !== null && <Total estimates={estimates} />
        )}
      </output>
      <FormActions
        className="mt-0"
        label={t('handover.start')}
        busy={add.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

const obstacleOf = (cameras: number): 'none' | 'tooMany' | null => {
  if (cameras === 0) return 'none';
  return cameras > mostCameras ? 'tooMany' : null;
};

interface Estimates {
  /** Null while they are not known: then the server says afterwards what it could not export. */
  readonly estimates: ExportEstimate[] | null;
  /** Why the server would not export this period, in words. */
  readonly refusal: string | null;
}

const unknown: Estimates = { estimates: null, refusal: null };

function useEstimates(cameras: readonly NamedCamera[], period: Period | null): Estimates {
  // A handle that is being dragged is not asked about at each step.
  const rested = useDebounced(period);
  const isAskable = rested !== null && obstacleOf(cameras.length) === null;
  const fields = {
    cameras: cameras.map(({ id }) => id),
    ...asTimes(rested ?? { fromMs: 0, untilMs: 1 }),
  };
  const query = useQuery({ ...estimateQuery(fields), enabled: isAskable });
  const isOfThis = rested?.fromMs === period?.fromMs && rested?.untilMs === period?.untilMs;
  if (!isAskable || !isOfThis || query.isPlaceholderData) return unknown;
  if (isAskedWrong(query.error)) {
    return { estimates: null, refusal: problemSentence(query.error) };
  }
  return { estimates: query.data?.results ?? null, refusal: null };
}

function Total({ estimates }: { estimates: readonly ExportEstimate[] }) {
  const { t } = useTranslation();
  if (estimates.length < 2) return null;
  const seconds = estimates.reduce((sum, one) => sum + one.seconds, 0);
  const bytes = estimates.reduce((sum, one) => sum + (one.bytes ?? 0), 0);
  const values = { length: lengthWords(seconds), size: sizeWords(t, bytes) };
  const isWhole = estimates.every((one) => one.bytes !== null);
  return (
    <p className="text-ui text-muted">
      {isWhole ? t('handover.total', values) : t('handover.totalMasked', values)}
    </p>
  );
}
