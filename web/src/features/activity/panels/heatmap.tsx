/** Face Recognition Heatmap: when visits come, by hours of the week, days or weeks. */
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { HeatTable } from './heat-table.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import { leadTo } from './figures.ts';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { groupedQuery } from './queries.ts';
import { sampleCounts } from './sample-counts.ts';
import { scales } from './panels.ts';

export function HeatmapPanel({ asked, onChange }: PanelProps) {
  const { t } = useTranslation();
  const { scale = 'hour' } = asked.search;
  const query = useQuery(groupedQuery('heatmap', asked, scale === 'hour' ? 'weekday_hour' : 'day'));
  const isSample = query.isError && query.data === undefined;
  const open = (from: string, to: string, hour: number | undefined): void =>
    onChange(leadTo('heatmap', 'hours', { from, to, hour }));
  return (
    <PanelCard panel="heatmap" title={t('panels.names.heatmap')}>
      <div className="mb-3">
        <Segmented
          label={t('panels.scale')}
          value={scale}
          onChange={(next) => onChange({ scale: next === 'hour' ? undefined : next })}
          options={scales.map((value) => ({ value, label: t(`panels.scales.${value}`) }))}
        />
      </div>
      {isSample ? (
        <Sample asked={asked} query={query} />
      ) : (
        <PanelView panel="heatmap" query={query}>
          {({ total, results }) =>
            total === 0 ? (
              <Nothing title={t('panels.empty.range')} />
            ) : (
              <HeatTable
                scale={scale}
                period={asked.period}
                counts={new Map(results.map((row) => [row.key, row.total]))}
                onOpen={open}
              />
            )
          }
        </PanelView>
      )}
    </PanelCard>
  );
}

interface SampleProps extends Pick<PanelProps, 'asked'> {
  query: { readonly isFetching: boolean; readonly refetch: () => unknown };
}

/** Only together with these words and the mark, and leading nowhere. */
function Sample({ asked: { search, period }, query }: SampleProps) {
  const { t } = useTranslation();
  const { scale = 'hour' } = search;
  return (
    <div className="grid grid-cols-1 gap-3">
      <RetryBanner look="secondary" busy={query.isFetching} onRetry={() => void query.refetch()}>
        {t('panels.failed.heatmap')}
      </RetryBanner>
      <div>
        <Badge tone="warning">{t('panels.sample')}</Badge>
      </div>
      <HeatTable scale={scale} period={period} counts={sampleCounts(scale, period)} />
    </div>
  );
}
