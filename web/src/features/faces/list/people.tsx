import { useQuery } from '@tanstack/react-query';
import { ScanFace, UserPlus } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator } from '#api/rights.ts';
import { usePreferences, useUser } from '#api/session.ts';
import { useMedia } from '#lib/use-media.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { pageInstead, usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { PAGE_SIZE, peopleQuery } from '../queries.ts';
import { isFiltered, type FacesSearch } from '../search.ts';
import { FaceFilters, type FaceFiltersProps } from './face-filters.tsx';
import { FaceGrid, FaceGridSkeleton, type FacesShownProps } from './face-grid.tsx';
import { FaceTable, FaceTableSkeleton } from './face-table.tsx';

/** Narrower screens get cards: a table would have to be pushed sideways. */
export const ROOM_FOR_TABLE = '(min-width: 64rem)';

export interface PeopleProps {
  search: FacesSearch;
  onFilter: FaceFiltersProps['onFilter'];
  onPage: GoToPage;
  onClear: () => void;
  onAdd: () => void;
  onAction: FacesShownProps['onAction'];
}

export function People({ search, onFilter, onPage, onClear, onAdd, onAction }: PeopleProps) {
  const { t } = useTranslation();
  // Others are shown whom they added: that there are no people would not be true.
  const seesAll = isAdministrator(useUser());
  const people = useQuery(peopleQuery(search));
  usePageInstead(pageInstead(people, search.page, PAGE_SIZE), onPage);
  const { faces_view: view } = usePreferences();
  const asTable = useMedia(ROOM_FOR_TABLE) && view === 'list';
  return (
    <>
      <FaceFilters
        filters={search}
        onFilter={onFilter}
        addedBy={people.data?.results[0]?.created_by_name ?? ''}
        refreshing={people.isFetching && !people.isPending}
        onRefresh={() => void people.refetch()}
      />
      <StaleNote queries={[people]} />
      <QueryView query={people} skeleton={asTable ? <FaceTableSkeleton /> : <FaceGridSkeleton />}>
        {({ results, count }) => (
          <>
            <output className="text-ui text-muted">{t('faces.count', { count })}</output>
            {results.length === 0 && (
              <Card>
                {isFiltered(search) ? (
                  <FilteredOut title={t('faces.noMatch')} onClear={onClear} />
                ) : (
                  <EmptyState
                    icon={<ScanFace />}
                    title={t(seesAll ? 'faces.empty' : 'faces.emptyOwn')}
                    text={t(seesAll ? 'faces.emptyText' : 'faces.emptyOwnText')}
                    action={
                      <Button onClick={onAdd}>
                        <UserPlus aria-hidden />
                        {t('faces.add')}
                      </Button>
                    }
                  />
                )}
              </Card>
            )}
            {results.length > 0 &&
              (asTable ? (
                <FaceTable faces={results} onAction={onAction} />
              ) : (
                <FaceGrid faces={results} onAction={onAction} />
              ))}
            <Pagination
              page={search.page ?? 1}
              pages={Math.ceil(count / PAGE_SIZE)}
              onPage={onPage}
            />
          </>
        )}
      </QueryView>
    </>
  );
}
