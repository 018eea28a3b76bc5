/** Recordings of all cameras the reader may play, found by words, person, day and kind; the address says by which. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Film } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { dayOf, isDay, readerTimezone } from '#lib/local-day.ts';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { PAGE_SIZE } from './queries.ts';
import { DeletedCameras } from './find/deleted-cameras.tsx';
import {
  found,
  isNarrowed,
  type FindChange,
  type FindSearch,
  understood,
} from './find/find-address.ts';
import { FindFilters } from './find/find-filters.tsx';
import { FindList } from './find/find-list.tsx';
import { findQuery } from './find/find-queries.ts';
import type { OneExportProps } from './handover/one-export.tsx';

const { Component: OneExport } = onDemand<OneExportProps>(
  async () => (await import('./handover/one-export.tsx')).OneExport,
);

const route = getRouteApi('/shell/recordings');

function useFindSearch() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/recordings' });
  const go = (change: FindChange, replace = false): void =>
    void navigate({ to: '.', replace, search: (now: FindSearch) => found(now, change) });
  return { search, go };
}

function Nothing({ search, onClear }: { search: FindSearch; onClear: () => void }) {
  const { t } = useTranslation();
  const seesAll = isAdministrator(useUser());
  if (isNarrowed(search)) return <FilteredOut title={t('recordings.noMatch')} onClear={onClear} />;
  return (
    <EmptyState
      icon={<Film />}
      title={t(seesAll ? 'recordings.empty' : 'recordingSearch.emptyOwn')}
      text={t('recordingSearch.emptyText')}
    />
  );
}

function Results({ search, go }: ReturnType<typeof useFindSearch>) {
  const { t } = useTranslation();
  const query = useQuery(findQuery(search, readerTimezone()));
  const number = search.page ?? 1;
  const pages = Math.max(1, Math.ceil((query.data?.count ?? 0) / PAGE_SIZE));
  const isBeyond = query.data !== undefined && !query.isPlaceholderData && number > pages;
  useEffect(() => {
    // The last recording of the last page was removed.
    if (isBeyond) go({ page: pages > 1 ? pages : undefined }, true);
  });
  const clear = (): void =>
    go({
      day: undefined,
      filter: undefined,
      search: undefined,
      person: undefined,
      page: undefined,
    });
  return (
    <>
      <StaleNote queries={[query]} />
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-64" />}
        failedTitle={t('recordings.loadFailed')}
      >
        {({ count, results }) => (
          <div className={cx('grid gap-3', query.isPlaceholderData && 'opacity-60')}>
            <output className="text-meta text-muted">{t('recordings.found', { count })}</output>
            {results.length === 0 ? (
              <Nothing search={understood(search)} onClear={clear} />
            ) : (
              <FindList recordings={results} person={search.person} />
            )}
            <Pagination
              page={number}
              pages={pages}
              onPage={(next) => go({ page: next > 1 ? next : undefined })}
            />
          </div>
        )}
      </QueryView>
    </>
  );
}

export function FindPage() {
  const { t } = useTranslation();
  const { search, go } = useFindSearch();
  const administrates = isAdministrator(useUser());
  // As it is when the page opens: a later day can still be typed into the address.
  const [today] = useState(() => dayOf(Date.now()));
  const { day } = search;
  const isWrong = day !== undefined && !isDay(day);
  return (
    <Page
      title={t('recordings.title')}
      subtitle={t('recordingSearch.subtitle')}
      actions={
        <Link to="/cameras" className={buttonClass('secondary')}>
          <ArrowLeft aria-hidden />
          {t('recordings.back')}
        </Link>
      }
    >
      <Card className="grid grid-cols-1 gap-3 *:mb-0">
        <FindFilters
          search={search}
          day={isWrong ? null : (day ?? null)}
          today={today}
          onChange={(change) => go({ ...change, page: undefined })}
        />
        {isWrong && (
          <output className="text-meta text-muted">{t('recordingSearch.wrongDay', { day })}</output>
        )}
        <Results search={search} go={go} />
      </Card>
      {administrates && <DeletedCameras />}
      {search.export !== undefined && (
        <OneExport id={search.export} onClose={() => go({ export: undefined }, true)} />
      )}
    </Page>
  );
}
