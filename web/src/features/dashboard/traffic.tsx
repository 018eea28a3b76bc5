import type { Summary } from '@nazar/contract/analytics.ts';
import { ChartNoAxesColumn } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Card } from '#ui/card.tsx';
import { AreaChart } from '#ui/chart/area-chart.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

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
        <AreaChart
          label={t('dashboard.trafficLabel')}
          points={flow.map(({ timestamp, count }) => ({ at: timestamp, value: count }))}
          timeHeader={t('dashboard.time')}
          valueHeader={t('dashboard.visits')}
          formatTime={(at) => formatTime(at, { hour: '2-digit', minute: '2-digit' })}
          formatValue={(value) => formatNumber(value)}
        />
      )}
    </Card>
  );
}
