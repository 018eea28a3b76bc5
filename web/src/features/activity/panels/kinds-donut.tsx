import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { ChartView } from '#ui/chart/chart-view.tsx';
import { Donut } from '#ui/chart/donut.tsx';
import { Nothing } from './panel-card.tsx';
import { useKinds } from './use-kinds.ts';

export interface KindsDonutProps {
  label: string;
  counts: { readonly total: number; readonly recognized: number; readonly unrecognized: number };
  onOpen: (known: 'yes' | 'no') => void;
}

/** Recognized and unrecognized as shares of all visits. */
export function KindsDonut({ label, counts, onOpen }: KindsDonutProps) {
  const { t } = useTranslation();
  const { formatNumber, formatPercent } = useFormat();
  const kinds = useKinds();
  if (counts.total === 0) return <Nothing title={t('panels.noChart')} />;
  const values = [counts.recognized, counts.unrecognized];
  const shares = kinds.map((kind, index) => ({ ...kind, value: values[index] ?? 0 }));
  const open = (key: string): void => onOpen(key === 'yes' ? 'yes' : 'no');
  const data = {
    label,
    rowHeader: t('panels.result'),
    series: [{ key: 'visits', label: t('panels.visits'), color: 'var(--c1)' }],
    rows: shares.map(({ key, label: name, value }) => ({ key, label: name, values: [value] })),
    formatValue: (value: number) => formatNumber(value),
    onOpen: open,
  };
  return (
    <ChartView data={data} hideLegend>
      <Donut
        label={label}
        shares={shares}
        formatValue={data.formatValue}
        formatShare={(share) => formatPercent(share, 1)}
        onOpen={open}
      >
        <span className="figures text-title font-semibold">{formatNumber(counts.total)}</span>
        <span className="text-meta text-muted">{t('panels.visits')}</span>
      </Donut>
    </ChartView>
  );
}
