/** What the settings would come to on their disk, in words, before they are saved. */
import type { RecordingForecast } from '@nazar/contract/recording-plans.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { HardDrive } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { problemSentence } from '#api/problem.ts';
import { Button } from '#ui/button.tsx';
import { usePlanWords } from './plan-words.ts';

export interface ForecastProps {
  query: UseQueryResult<RecordingForecast>;
  /** It is of what stands in the form now. */
  isCurrent: boolean;
  /** The form has nothing wrong in it. */
  isWhole: boolean;
  /** What is recorded now: its rate is what the estimate knows. */
  stream: 'main' | 'sub' | null;
}

/** Sentences one after another. */
function useSentences({ recorded, ...forecast }: RecordingForecast, now: ForecastProps['stream']) {
  const { t } = useTranslation();
  const words = usePlanWords();
  const { bytes_per_day: daily, kept_days: kept, capacity_bytes: capacity } = forecast;
  const wanted = words.days(forecast.wanted_days);
  if (daily === null) return [t('recordingSettings.noRate')];
  if (daily === 0) return [t('recordingSettings.nothingPlanned')];
  const said = [t('recordingSettings.perDay', { size: words.bytes(daily) })];
  if (capacity === null || kept === null) said.push(t('recordingSettings.noDisk'));
  else if (kept >= forecast.wanted_days) said.push(t('recordingSettings.fits', { wanted }));
  else {
    said.push(t('recordingSettings.fitsLess', { kept: words.days(kept), wanted }));
    said.push(t('recordingSettings.displaced'));
  }
  if (recorded !== null && now !== null && recorded.stream !== now) {
    said.push(t('recordingSettings.otherStream'));
  }
  return said;
}

export function Forecast({ query, isCurrent, isWhole, stream }: ForecastProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-1.5 rounded-control border border-line bg-surface-2 p-3 text-ui sm:p-4"
    >
      <h3 id={id} className="flex items-center gap-2 font-semibold">
        <HardDrive aria-hidden className="size-4 text-muted" />
        {t('recordingSettings.forecast')}
      </h3>
      <div aria-live="polite" aria-busy={isWhole && !isCurrent}>
        <Answer query={query} isCurrent={isCurrent} isWhole={isWhole} stream={stream} />
      </div>
    </section>
  );
}

function Answer({ query, isCurrent, isWhole, stream }: ForecastProps) {
  const { t } = useTranslation();
  if (!isWhole) return <p className="text-muted">{t('recordingSettings.forecastWaits')}</p>;
  if (query.isError) {
    return (
      <p className="flex flex-wrap items-center gap-x-3">
        {t('recordingSettings.forecastFailed')} {problemSentence(query.error)}
        <Button look="link" busy={query.isFetching} onClick={() => void query.refetch()}>
          {t('ui.retry')}
        </Button>
      </p>
    );
  }
  if (query.data === undefined) {
    return <p className="text-muted">{t('recordingSettings.forecasting')}</p>;
  }
  return <Sentences forecast={query.data} stream={stream} isCurrent={isCurrent} />;
}

interface SentencesProps extends Pick<ForecastProps, 'stream' | 'isCurrent'> {
  forecast: RecordingForecast;
}

function Sentences({ forecast, stream, isCurrent }: SentencesProps) {
  return (
    <p className={cx(!isCurrent && 'text-muted')}>{useSentences(forecast, stream).join(' ')}</p>
  );
}
