/** Person Analytics (LDP-001 to LDP-013): who was seen most, and the details of whoever is chosen. */
import type { PersonStats } from '@nazar/contract/face-log-counts.ts';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, UserRound } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { BarList } from '#ui/chart/bar-list.tsx';
import { Nothing, PanelCard } from './panel-card.tsx';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { keyOf, knownPeople } from './people.ts';
import { PersonDetails } from './details/person-details.tsx';
import { peopleQuery } from './queries.ts';
import { usePersonName } from './use-person-name.ts';

export function PeoplePanel({ asked, onChange }: PanelProps) {
  const { t } = useTranslation();
  const query = useQuery(peopleQuery('people', asked));
  const { person } = asked.search;
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
          {(rows) => (
            <People
              people={knownPeople(rows)}
              chosen={person}
              onChoose={(key) => onChange({ person: key === person ? undefined : key })}
            />
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
  people: readonly PersonStats[];
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

function People({ people, chosen, onChoose }: PeopleProps) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const nameOf = usePersonName();
  if (people.length === 0) return <Nothing title={t('panels.empty.people')} />;
  const data = {
    label: t('panels.names.people'),
    rowHeader: t('panels.filter.person'),
    series: [{ key: 'visits', label: t('panels.visits'), color: 'var(--recognized)' }],
    rows: people.map((row) => ({
      key: keyOf(row) ?? '',
      label: nameOf(row),
      values: [row.total_detections],
    })),
    formatValue: (value: number) => formatNumber(value),
    onOpen: onChoose,
  };
  return (
    // LDP-002.
    <div className="max-h-[500px] overflow-y-auto">
      <BarList data={data} selected={chosen} />
    </div>
  );
}
