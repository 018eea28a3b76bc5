/** Overview (LDO-009 to LDO-017): how many entries, lines of the system log and visits, by action, level, result and kind. */
import { useQuery } from '@tanstack/react-query';
import { isAdministrator } from '#api/rights.ts';
import { useTranslation } from '#lib/i18n.ts';
import { changed } from '../../search.ts';
import { KindsDonut } from '../kinds-donut.tsx';
import { Actions, Levels, LogTypes, type NamedCount, type Totals } from './charts.tsx';
import { Figures } from './figures.tsx';
import { PanelCard } from '../panel-card.tsx';
import { toVisits, type PanelProps } from '../panel-context.ts';
import { PanelView, type Asking } from '../panel-view.tsx';
import { actionsQuery, statsQuery, type Asked } from '../queries.ts';
import { levelsQuery } from '../system/lines.ts';

export function Overview(props: PanelProps) {
  const { asked, onChange } = props;
  const { t } = useTranslation();
  const { actions, all, levels, stats, totals } = useCounts(asked);
  const waitsFor: Asking<unknown> =
    [all, levels, stats].find(({ data }) => data === undefined) ?? stats;
  return (
    <>
      <Figures
        entries={sumOf(actions.data)}
        lines={totals.lines}
        all={sumOfAll(totals)}
        stats={stats.data}
        isNarrowed={asked.search.search !== undefined || asked.search.type !== undefined}
        mayChooseUser={isAdministrator(asked.me)}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <PanelCard panel="overview" title={t('panels.byType')} obeys={['period', 'user']}>
          <PanelView panel="overview" query={waitsFor}>
            {() => <LogTypes {...props} totals={totals} />}
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
                onOpen={(known) => onChange(toVisits({ known }))}
              />
            )}
          </PanelView>
        </PanelCard>
      </div>
    </>
  );
}

/** Totals are of kinds of log beside each other, so nothing narrows them that means only one of the kinds. */
function useCounts(asked: Asked) {
  const whole = { ...asked, search: changed(asked.search, { search: undefined, type: undefined }) };
  const actions = useQuery(actionsQuery(asked));
  const all = useQuery(actionsQuery(whole));
  const levels = useQuery(levelsQuery(asked));
  const stats = useQuery(statsQuery('overview', asked));
  const totals: Totals = {
    entries: sumOf(all.data),
    lines: sumOf(levels.data),
    visits: stats.data?.total,
  };
  return { actions, all, levels, stats, totals };
}

const sumOf = (counts: readonly NamedCount[] | undefined): number | undefined =>
  counts?.reduce((sum, { value }) => sum + value, 0);

const sumOfAll = ({ entries, lines, visits }: Totals): number | undefined =>
  entries === undefined || lines === undefined || visits === undefined
    ? undefined
    : entries + lines + visits;
