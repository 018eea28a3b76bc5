/** How many days of recordings really fit, said loudly where they are fewer than are to be kept. */
import type { StorageFit } from '@nazar/contract/recordings.ts';
import { TriangleAlert } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { usePlanWords } from './recording-settings/plan-words.ts';

export const isShort = ({ kept_days, wanted_days }: StorageFit): boolean => kept_days < wanted_days;

/** As the forecast of a camera's settings says it. */
export function useFitWords() {
  const { t } = useTranslation();
  const { days } = usePlanWords();
  return (fit: StorageFit): string => {
    const wanted = days(fit.wanted_days);
    if (!isShort(fit)) return t('recordingSettings.fits', { wanted });
    return t('recordingSettings.fitsLess', { kept: days(fit.kept_days), wanted });
  };
}

/** Nothing while nothing is measured. */
export function StorageFitNote({ fit }: { fit: StorageFit | null }) {
  const words = useFitWords();
  if (fit === null) return null;
  if (!isShort(fit)) return <p className="text-ui">{words(fit)}</p>;
  return (
    <p className="flex items-start gap-2 rounded-control bg-unrecognized-soft px-3 py-2 text-ui font-medium text-unrecognized-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {words(fit)}
    </p>
  );
}
