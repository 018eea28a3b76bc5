import { unknownStatuses, type UnknownFace } from '@nazar/contract/unknown-faces.ts';
import { useQuery } from '@tanstack/react-query';
import { UserCheck } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { pageInstead, usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Select } from '#ui/select.tsx';
import { strangerOrders, type FacesSearch } from '../search.ts';
import { pictureGrid, PictureGridSkeleton } from './picture-grid.tsx';
import { StrangerCard } from './stranger-card.tsx';
import { STRANGERS_PAGE_SIZE, strangersQuery } from './strangers.ts';

type Filter = { [K in 'progress' | 'order']?: FacesSearch[K] | undefined };

export interface StrangerListProps {
  search: FacesSearch;
  /** Names only what changes; undefined lifts a filter. */
  onFilter: (change: Filter) => void;
  onPage: GoToPage;
  onOpen: (stranger: UnknownFace) => void;
}

function StrangerFilters({ search, onFilter }: Pick<StrangerListProps, 'search' | 'onFilter'>) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={t('strangers.status.label')}
        className="min-w-0 flex-1 sm:w-48 sm:flex-none"
        value={search.progress ?? ''}
        onChange={({ target }) =>
          onFilter({ progress: unknownStatuses.find((status) => status === target.value) })
        }
        options={[
          { value: '', label: t('strangers.status.all') },
          ...unknownStatuses.map((status) => ({
            value: status,
            label: t(`strangers.status.${status}`),
          })),
        ]}
      />
      <Select
        aria-label={t('strangers.order.label')}
        className="min-w-0 flex-1 sm:w-56 sm:flex-none"
        value={search.order ?? '-timestamp'}
        onChange={({ target }) =>
          onFilter({
            order: strangerOrders.find((it) => it === target.value && it !== '-timestamp'),
          })
        }
        options={[
          { value: '-timestamp', label: t('strangers.order.newest') },
          { value: 'timestamp', label: t('strangers.order.oldest') },
          { value: '-count', label: t('strangers.order.visits') },
          { value: 'number', label: t('strangers.order.number') },
        ]}
      />
    </div>
  );
}

/** People whom cameras saw and no user has named. */
export function StrangerList({ search, onFilter, onPage, onOpen }: StrangerListProps) {
  const { t } = useTranslation();
  const strangers = useQuery(strangersQuery(search));
  usePageInstead(pageInstead(strangers, search.page, STRANGERS_PAGE_SIZE), onPage);
  return (
    <>
      <StrangerFilters search={search} onFilter={onFilter} />
      <StaleNote queries={[strangers]} />
      <QueryView
        query={strangers}
        skeleton={<PictureGridSkeleton count={STRANGERS_PAGE_SIZE} lastLine="h-6" />}
      >
        {({ results, count, more }) => (
          <>
            <output className="text-ui text-muted">
              {more ? t('strangers.more') : t('strangers.count', { count })}
            </output>
            {results.length === 0 ? (
              <Card>
                {search.progress === undefined ? (
                  <EmptyState
                    icon={<UserCheck />}
                    title={t('strangers.empty')}
                    text={t('unknown.emptyText')}
                  />
                ) : (
                  <FilteredOut
                    title={t('strangers.noMatch')}
                    onClear={() => onFilter({ progress: undefined })}
                  />
                )}
              </Card>
            ) : (
              <ul aria-label={t('strangers.title')} className={pictureGrid}>
                {results.map((stranger) => (
                  <StrangerCard key={stranger.id} stranger={stranger} onOpen={onOpen} />
                ))}
              </ul>
            )}
            <Pagination
              page={search.page ?? 1}
              pages={Math.ceil(count / STRANGERS_PAGE_SIZE)}
              onPage={onPage}
            />
          </>
        )}
      </QueryView>
    </>
  );
}
