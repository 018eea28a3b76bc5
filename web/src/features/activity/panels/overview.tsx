/** Overview (LDO-010 to LDO-017): how many entries and visits, by action and by result. */
import type { RecognitionStats } from '@nazar/contract/face-log-counts.ts';
import { activityKinds } from '@nazar/contract/activity.ts';
import { useNavigate } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { ScanFace, ScrollText, UserCheck, UserX } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { FigureCard, FigureGrid } from '#ui/card.tsx';
import { BarList } from '#ui/chart/bar-list.tsx';
import { ChartView } from '#ui/chart/chart-view.tsx';
import { useWords } from '../words.ts';
import { KindsDonut } from './kinds-donut.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import { toList, toVisits, type PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { actionsQuery, statsQuery } from './queries.ts';

export function Overview({ asked, onChange }: PanelProps) {
  const { t } = useTranslation();
  const actions = useQuery(actionsQuery(asked));
  const stats = useQuery(statsQuery('overview', asked));
  return (
    <>
      <Figures
        entries={actions.data?.reduce((sum, { value }) => sum + value, 0)}
        stats={stats.data}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <PanelCard panel="overview" title={t('panels.byAction')}>
          <PanelView panel="overview" query={actions}>
            {(counts) => <Actions asked={asked} counts={counts} />}
          </PanelView>
        </PanelCard>
        <PanelCard panel="overview" title={t('panels.results')} obeys={['period', 'user']}>
          <PanelView panel="overview" query={stats}>
            {(counts) => (
              <KindsDonut
                label={t('panels.results')}
                counts={counts}
                onOpen={(known) => onChange(toVisits({ known }))}
              />
            )}
          </PanelView>
        </PanelCard>
      </div>
    </>
  );
}

interface FiguresProps {
  entries: number | undefined;
  stats: RecognitionStats | undefined;
}

function Figures({ entries, stats }: FiguresProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const figure = (value: number | undefined): string | null =>
    value === undefined ? null : formatNumber(value);
  return (
    <FigureGrid>
      <FigureCard label={t('panels.entries')} value={figure(entries)} icon={<ScrollText />} />
      <FigureCard label={t('panels.visits')} value={figure(stats?.total)} icon={<ScanFace />} />
      <FigureCard
        label={t('panels.recognized')}
        value={figure(stats?.recognized)}
        icon={<UserCheck />}
      />
      <FigureCard
        label={t('panels.unrecognized')}
        value={figure(stats?.unrecognized)}
        icon={<UserX />}
      />
    </FigureGrid>
  );
}

const kindOf = (name: string) => activityKinds.find((kind) => kind === name);

interface ActionsProps extends Pick<PanelProps, 'asked'> {
  counts: readonly { name: string; value: number }[];
}

function Actions({ asked, counts }: ActionsProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const words = useWords();
  const navigate = useNavigate();
  if (counts.length === 0) return <Nothing title={t('panels.empty.overview')} />;
  const data = {
    label: t('panels.byAction'),
    rowHeader: t('activityLog.action'),
    series: [{ key: 'entries', label: t('panels.entries'), color: 'var(--c1)' }],
    rows: counts.map(({ name, value }) => {
      const kind = kindOf(name);
      return { key: name, label: kind === undefined ? name : words.action(kind), values: [value] };
    }),
    formatValue: (value: number) => formatNumber(value),
    onOpen: (name: string) =>
      void navigate({
        to: '/activity-log',
        search: toList(asked.search, asked.period, { action: kindOf(name) }),
      }),
  };
  return (
    <ChartView data={data} hideLegend>
      <BarList data={data} />
    </ChartView>
  );
}
