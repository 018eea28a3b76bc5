/** Person Analytics: who was seen most, and the details of the chosen person. */
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, UserRound } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { isPageTooLate } from '#api/problem.ts';
import { useFormat } from '#lib/format.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { usePageInstead } from '#parts/use-page-instead.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { BarList } from '#ui/chart/bar-list.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { choosable, type Choosable } from './people.ts';
import { PersonDetails } from './details/person-details.tsx';
import { PEOPLE_PER_PAGE, peopleQuery } from './queries.ts';
import { usePersonName } from './use-person-name.ts';

export function PeoplePanel({ asked, onChange }: PanelProps) {
  const { t } = useTranslation();
  const { person, who, page = 1 } = asked.search;
  const query = useQuery(peopleQuery('people', asked, { search: who, page }));
  usePageInstead(isPageTooLate(query.error) ? 1 : null, () => onChange({}, true));
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <PanelCard panel="people" title={t('panels.names.people')}>
        <div className="mb-2">
          <Button
            look="link"
            busy={query.isFetching}
            aria-label={t('panels.refreshPeople')}
            onClick={() => void query.refetch()}
          >
            <RefreshCw aria-hidden />
            {t('ui.refresh')}
          </Button>
        </div>
        <PanelView
          panel="people"
          query={query}
          {...(query.data !== undefined && { failedTitle: t('panels.failed.peopleList') })}
        >
          {({ count, most, results }) => (
            <>
              {(count > PEOPLE_PER_PAGE || who !== undefined) && (
                <search className="mb-2">
                  <SearchBox
                    label={t('panels.findPerson')}
                    value={who ?? ''}
                    onSearch={(text) => onChange({ who: text === '' ? undefined : text })}
                  />
                </search>
              )}
              <People
                people={choosable(results)}
                most={most}
                empty={t(who === undefined ? 'panels.empty.people' : 'panels.empty.name')}
                chosen={person}
                onChoose={(key) =>
                  onChange({ person: key === person ? undefined : key, page: asked.search.page })
                }
              />
              <Pagination
                page={page}
                pages={Math.ceil(count / PEOPLE_PER_PAGE)}
                onPage={(next) => onChange({ page: next > 1 ? next : undefined })}
              />
            </>
          )}
        </PanelView>
      </PanelCard>
      <PanelCard panel="people" title={t('panels.details')}>
        {person === undefined ? (
          <EmptyState icon={<UserRound />} title={t('panels.selectPerson')} />
        ) : (
          <PersonDetails key={person} asked={asked} person={person} onChange={onChange} />
        )}
      </PanelCard>
    </div>
  );
}

interface PeopleProps {
  people: readonly Choosable[];
  /** The visits of the person who came most: all bars are measured by them. */
  most: number;
  empty: string;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

function People({ people, most, empty, chosen, onChoose }: PeopleProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const nameOf = usePersonName();
  if (people.length === 0) return <Nothing title={empty} />;
  const data = {
    label: t('panels.names.people'),
    rowHeader: t('panels.filter.person'),
    series: [{ key: 'visits', label: t('panels.visits'), color: 'var(--recognized)' }],
    rows: people.map((row) => ({
      key: row.person,
      label: nameOf(row),
      values: [row.visits],
    })),
    formatValue: (value: number) => formatNumber(value),
    onOpen: onChoose,
  };
  return (
    <div className="max-h-[500px] overflow-y-auto">
      <BarList data={data} selected={chosen} largest={most} />
    </div>
  );
}
