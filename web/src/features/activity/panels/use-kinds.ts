import { useTranslation } from '#lib/i18n.ts';
import type { ChartSeries } from '#ui/chart/chart-data.ts';

/** The two series of every chart of visits. */
export function useKinds(): readonly [recognized: ChartSeries, unrecognized: ChartSeries] {
  const { t } = useTranslation();
  return [
    { key: 'yes', label: t('panels.recognized'), color: 'var(--recognized)' },
    { key: 'no', label: t('panels.unrecognized'), color: 'var(--unrecognized)' },
  ];
}
