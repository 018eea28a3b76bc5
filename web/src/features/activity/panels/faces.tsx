/** Face Recognition Logs: totals, over time, ratio, and who was seen most. */
import type { RecognitionStats } from '@nazar/contract/visit-counts.ts';
import { useQuery } from '@tanstack/react-query';
import { Percent, ScanFace, UserCheck, UserX } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { FigureCard, FigureGrid } from '#ui/card.tsx';
import { BarList } from '#ui/chart/bar-list.tsx';
import { ChartView } from '#ui/chart/chart-view.tsx';
import { BeforeFigure } from './before-figure.tsx';
import { DaysChart } from './days-chart.tsx';
import { dataOf } from './failures.ts';
import { KindsDonut } from './kinds-donut.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import { leadTo } from './figures.ts';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { askedBefore, groupedQuery, peopleQuery, statsQuery } from './queries.ts';
import { choosable, type Choosable } from './people.ts';
import { usePersonName } from './use-person-name.ts';

/** People with the most visits that the panel shows (LDF-006). */
const TOP = 10;

export function Faces({ asked, onChange }: PanelProps) {
  const { t } = useTranslation();
  const stats = useQuery(statsQuery('faces', asked));
  const before = useQuery(statsQuery('faces', askedBefore(asked)));
  const days = useQuery(groupedQuery('faces', asked, 'day'));
  const people = useQuery(peopleQuery('faces', asked, { limit: TOP }));
  const counts = dataOf(stats);
  if (counts === undefined) {
    return (
      <PanelCard panel="faces" title={t('panels.names.faces')}>
        <PanelView panel="faces" query={stats}>
          {() => null}
        </PanelView>
      </PanelCard>
    );
  }
  return (
    <>
      <Figures stats={counts} before={comparable(dataOf(before))} />
      <PanelCard panel="faces" title={t('panels.overTime')}>
        <PanelView panel="faces" query={days}>
          {(counts) =>
            counts.total === 0 ? (
              <Nothing title={t('panels.noChart')} />
            ) : (
              <DaysChart
                panel="faces"
                label={t('panels.overTime')}
                form="lines"
                counts={counts}
                onChange={onChange}
              />
            )
          }
        </PanelView>
      </PanelCard>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <PanelCard panel="faces" title={t('panels.ratio')}>
          <PanelView panel="faces" query={stats}>
            {(counts) => (
              <KindsDonut
                label={t('panels.ratio')}
                counts={counts}
                onOpen={(known) => onChange(leadTo('faces', 'result', { known }))}
              />
            )}
          </PanelView>
        </PanelCard>
        <PanelCard panel="faces" title={t('panels.top', { count: TOP })}>
          <PanelView panel="faces" query={people}>
            {({ results }) => (
              <TopPeople
                people={choosable(results)}
                onOpen={(person) => onChange(leadTo('faces', 'person', { person }))}
              />
            )}
          </PanelView>
        </PanelCard>
      </div>
    </>
  );
}

interface FiguresProps {
  stats: RecognitionStats;
  before: RecognitionStats | undefined;
}

/** Before the first visit there is nothing to compare with. */
const comparable = (before: RecognitionStats | undefined): RecognitionStats | undefined =>
  before?.total === 0 ? undefined : before;

function Figures({ stats, before }: FiguresProps) {
  const { t } = useTranslation();
  const { formatNumber, formatPercent } = useFormat();
  const { total, recognized, unrecognized, success_rate: rate } = stats;
  return (
    <FigureGrid>
      <FigureCard label={t('panels.visits')} value={formatNumber(total)} icon={<ScanFace />}>
        <BeforeFigure now={total} before={before?.total} />
      </FigureCard>
      <FigureCard
        label={t('panels.recognized')}
        value={formatNumber(recognized)}
        icon={<UserCheck />}
      >
        <BeforeFigure now={recognized} before={before?.recognized} />
      </FigureCard>
      <FigureCard
        label={t('panels.unrecognized')}
        value={formatNumber(unrecognized)}
        icon={<UserX />}
      >
        <BeforeFigure now={unrecognized} before={before?.unrecognized} />
      </FigureCard>
      <FigureCard
        label={t('panels.successRate')}
        value={rate === null ? null : formatPercent(rate / 100, 1)}
        empty={t('panels.noVisits')}
        icon={<Percent />}
      >
        {typeof before?.success_rate === 'number' &&
          t('panels.before', { value: formatPercent(before.success_rate / 100, 1) })}
      </FigureCard>
    </FigureGrid>
  );
}

interface TopPeopleProps {
  people: readonly Choosable[];
  onOpen: (person: string) => void;
}

function TopPeople({ people, onOpen }: TopPeopleProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const nameOf = usePersonName();
  if (people.length === 0) return <Nothing title={t('panels.noChart')} />;
  const data = {
    label: t('panels.top', { count: TOP }),
    rowHeader: t('panels.filter.person'),
    series: [{ key: 'visits', label: t('panels.visits'), color: 'var(--recognized)' }],
    rows: people.map((row) => ({
      key: row.person,
      label: nameOf(row),
      values: [row.visits],
    })),
    formatValue: (value: number) => formatNumber(value),
    onOpen: (key: string) => onOpen(key),
  };
  return (
    <ChartView data={data} hideLegend>
      <BarList data={data} />
    </ChartView>
  );
}
