/** Sizes and what is recorded, in the reader's language. */
import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useBytes } from '#lib/use-bytes.ts';

export function usePlanWords() {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const bytes = useBytes();
  return {
    bytes,
    days: (days: number): string =>
      t('recordingSettings.days', {
        count: days,
        days: formatNumber(days, { maximumFractionDigits: 1 }),
      }),
    /** "Main stream, 1920×1080, with sound". */
    recorded: (recorded: RecordingSettings['recorded']): string => {
      if (recorded === null) return t('recordingSettings.nothingSent');
      const { stream, width, height, sound } = recorded;
      return t(sound ? 'recordingSettings.recordedSound' : 'recordingSettings.recordedSilent', {
        stream: stream === 'main' ? t('cameras.mainStream') : t('cameras.subStream'),
        size: `${width}×${height}`,
      });
    },
  };
}
