/** Sizes and what is recorded, in the reader's language. */
import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';

const sizes = [
  { name: 'terabytes', bytes: 1e12 },
  { name: 'gigabytes', bytes: 1e9 },
  { name: 'megabytes', bytes: 1e6 },
] as const;

export function usePlanWords() {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  return {
    bytes: (bytes: number): string => {
      const { name, bytes: unit } = sizes.find((one) => bytes >= one.bytes) ?? sizes[2];
      const size = formatNumber(bytes / unit, { maximumSignificantDigits: 3 });
      return t(`recordings.${name}`, { size });
    },
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
