/** The entries, whatever state they are in: loading, failed, from this browser's copy, none, or some. */
import { History, ScrollText } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { useMedia } from '#lib/use-media.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import type { GoToPage } from '#parts/use-page-instead.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { RetryBanner } from '#ui/retry-banner.tsx';
import { LogCards, LogSkeleton, LogTable, type LogListProps } from './log-list.tsx';
import { LogPages } from './log-pages.tsx';
import { PAGE_SIZE, type EntryPage } from './queries.ts';
import { isFiltered, type ActivitySearch } from './search.ts';
import type { useEntries } from './use-entries.ts';

export interface LogResultsProps extends Omit<LogListProps, 'entries' | 'term'> {
  search: ActivitySearch;
  found: ReturnType<typeof useEntries>;
  onPage: GoToPage;
  onClear: () => void;
}

/** Narrower screens get cards: a table would have to be pushed sideways. */
const ROOM_FOR_TABLE = '(min-width: 60rem)';

export function LogResults(props: LogResultsProps) {
  const { t } = useTranslation();
  const { query, copy } = props.found;
  if (copy !== null) return <FromStorage {...props} copy={copy} />;
  return (
    <>
      <StaleNote queries={[query]} />
      <QueryView query={query} failedTitle={t('activityLog.failed')} skeleton={<LogSkeleton />}>
        {(page) => <Found {...props} page={page} />}
      </QueryView>
    </>
  );
}

function Found({ page, ...props }: LogResultsProps & { page: EntryPage }) {
  const { t } = useTranslation();
  const { search, onPage, onClear } = props;
  const { count, more, results } = page;
  const isSorted = search.sort !== undefined;
  if (count === 0) {
    return (
      <Card>
        {isFiltered(search) ? (
          <FilteredOut title={t('activityLog.noMatch')} onClear={onClear} />
        ) : (
          <EmptyState
            icon={<ScrollText />}
            title={t('activityLog.empty')}
            text={t('activityLog.emptyText')}
          />
        )}
      </Card>
    );
  }
  return (
    <>
      <output className="text-ui text-muted">
        {more ? t('activityLog.more') : t('activityLog.count', { count })}
        {more && isSorted && ` · ${t('activityLog.sortedNewest')}`}
      </output>
      <Entries {...props} entries={results} />
      <LogPages
        page={search.page ?? 1}
        pages={Math.max(1, Math.ceil(count / PAGE_SIZE))}
        onPage={onPage}
      />
    </>
  );
}

function Entries(props: LogResultsProps & Pick<LogListProps, 'entries'>) {
  const hasRoom = useMedia(ROOM_FOR_TABLE);
  const List = hasRoom && props.search.view !== 'cards' ? LogTable : LogCards;
  return <List {...props} term={props.search.search} />;
}

/** Real entries of before, said to be so, and the error beside them. */
function FromStorage({
  copy,
  ...props
}: LogResultsProps & { copy: { at: number; page: EntryPage } }) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { query } = props.found;
  return (
    <>
      <RetryBanner look="secondary" busy={query.isFetching} onRetry={() => void query.refetch()}>
        {t('activityLog.failed')}
      </RetryBanner>
      <output className="inline-flex items-center gap-2 justify-self-start rounded-full bg-unrecognized-soft py-0.5 pr-3 pl-2 text-meta font-medium text-unrecognized-text">
        <History aria-hidden className="size-3.5 shrink-0" />
        {t('activityLog.fromStorage')} · {formatTime(copy.at)}
      </output>
      <Entries {...props} entries={copy.page.results} />
    </>
  );
}
