import type { Summary } from '@nazar/contract/analytics.ts';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { Card } from '#ui/card.tsx';
import type { AreaChartProps } from '#ui/chart/area-chart.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

/** Four a day, at the reader's hours. */
const isNamed = (at: string): boolean => new Date(at).getHours() % 6 === 0;

/** Where no person came yet there is nothing to draw. */
const { Component: AreaChart } = onDemand<AreaChartProps>(
  async () => (await import('#ui/chart/area-chart.tsx')).AreaChart,
);

/** Visits of the last 24 hours, as the summary's `traffic_flow` counts them. */
export function Traffic({ flow }: { flow: Summary['traffic_flow'] }) {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const nothing = flow.every(({ count }) => count === 0);
  return (
    <Card
      title={t('dashboard.traffic')}
      aside={t('dashboard.last24Hours')}
      className="flex flex-col lg:col-span-2"
    >
      {nothing ? (
        <EmptyState
          icon={<ChartNoAxesColumn />}
          title={t('dashboard.noTraffic')}
          text={t('dashboard.noTrafficText')}
        />
      ) : (
        // As high as the chart with its times is, so that nothing moves when its code is here.
        <div className="flex min-h-60 flex-1 flex-col">
          <AreaChart
            label={t('dashboard.trafficLabel')}
            points={flow.map(({ timestamp, count }) => ({ at: timestamp, value: count }))}
            isNamed={isNamed}
            timeHeader={t('dashboard.time')}
            valueHeader={t('dashboard.visits')}
            formatTime={(at) => formatTime(at, { hour: '2-digit', minute: '2-digit' })}
            formatValue={(value) => formatNumber(value)}
          />
        </div>
      )}
    </Card>
  );
}
