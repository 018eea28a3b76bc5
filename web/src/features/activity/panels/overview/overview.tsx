/** Overview: how many entries, lines of the system log and visits, by action, level, result and kind. */
import { useQuery } from '@tanstack/react-query';
import { isAdministrator } from '#api/rights.ts';
import { useTranslation } from '#lib/i18n.ts';
import { KindsDonut } from '../kinds-donut.tsx';
import { Actions, Levels, LogKinds, type NamedCount } from './charts.tsx';
import { Figures, type Counted } from './figures.tsx';
import { PanelCard } from '../panel-card.tsx';
import { leadTo } from '../figures.ts';
import type { PanelProps } from '../panel-context.ts';
import { PanelView } from '../panel-view.tsx';
import { actionsQuery, askedBefore, logKindsQuery, statsQuery, type Asked } from '../queries.ts';
import { dataOf } from '../failures.ts';
import { levelsQuery } from '../system/lines.ts';

export function Overview(props: PanelProps) {
  const { asked, onChange } = props;
  const { t } = useTranslation();
  const kinds = useQuery(logKindsQuery(asked));
  const actions = useQuery(actionsQuery(asked));
  const levels = useQuery(levelsQuery(asked));
  const stats = useQuery(statsQuery('overview', asked));
  return (
    <>
      <Figures
        now={{
          entries: sumOf(dataOf(actions)),
          lines: sumOf(dataOf(levels)),
          all: sumOf(dataOf(kinds)),
          visits: dataOf(stats)?.total,
        }}
        before={useBefore(asked)}
        stats={dataOf(stats)}
        isNarrowed={asked.search.search !== undefined || asked.search.type !== undefined}
        mayChooseUser={isAdministrator(asked.me)}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <PanelCard panel="overview" title={t('panels.byType')} obeys={['period', 'user']}>
          <PanelView panel="overview" query={kinds}>
            {(counts) => <LogKinds {...props} counts={counts} />}
          </PanelView>
        </PanelCard>
        <PanelCard panel="overview" title={t('panels.byAction')}>
          <PanelView panel="overview" query={actions}>
            {(counts) => <Actions asked={asked} counts={counts} />}
          </PanelView>
        </PanelCard>
        <PanelCard panel="overview" title={t('panels.byLevel')} obeys={['period', 'user']}>
          <PanelView panel="overview" query={levels}>
            {(counts) => <Levels counts={counts} onChange={onChange} />}
          </PanelView>
        </PanelCard>
        <PanelCard panel="overview" title={t('panels.results')} obeys={['period', 'user']}>
          <PanelView panel="overview" query={stats}>
            {(counts) => (
              <KindsDonut
                label={t('panels.results')}
                counts={counts}
                onOpen={(known) => onChange(leadTo('overview', 'result', { known }))}
              />
            )}
          </PanelView>
        </PanelCard>
      </div>
    </>
  );
}

function useBefore(asked: Asked): Counted {
  const before = askedBefore(asked);
  const counted = {
    entries: sumOf(dataOf(useQuery(actionsQuery(before)))),
    lines: sumOf(dataOf(useQuery(levelsQuery(before)))),
    all: sumOf(dataOf(useQuery(logKindsQuery(before)))),
    visits: dataOf(useQuery(statsQuery('overview', before)))?.total,
  };
  // A system that runs logs something: without an entry of any kind there is nothing to compare with.
  return counted.all === 0 ? nothing : counted;
}

const nothing: Counted = {
  entries: undefined,
  lines: undefined,
  all: undefined,
  visits: undefined,
};

const sumOf = (counts: readonly NamedCount[] | undefined): number | undefined =>
  counts?.reduce((sum, { value }) => sum + value, 0);
