/** What was recorded on a day: how many, which, page by page, and why there is none. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { AsOfBanner } from '#parts/as-of-banner.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { CalendarOff } from 'lucide-react';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { NoRecordings } from './no-recordings.tsx';
import { PAGE_SIZE, type RecordingPage } from './queries.ts';
import { RecordingItem } from './recording-item.tsx';
import type { NewestDay } from './use-chosen-day.ts';
import type { RecordingsOfDay } from './use-recordings.ts';

export interface RecordingListProps {
  recordings: RecordingsOfDay;
  day: string;
  filtered: boolean;
  /** What it means that nothing is listed. */
  empty: NewestDay['empty'];
  page: number;
  selected: string | undefined;
  onSelect: (recording: Recording) => void;
  onPage: (page: number) => void;
  onClear: () => void;
}

function StaleList({ at, query }: { at: number; query: RecordingsOfDay['query'] }) {
  const { t } = useTranslation();
  return (
    <AsOfBanner
      failed={t('recordings.loadFailed')}
      at={at}
      asOf={(time) => t('recordings.asOf', { time })}
      query={query}
    />
  );
}

type NothingProps = Pick<RecordingListProps, 'filtered' | 'empty' | 'onClear'>;

function Nothing({ filtered, empty, onClear }: NothingProps) {
  const { t } = useTranslation();
  if (empty === 'asked') return <Skeletons />;
  if (empty === 'camera') return <NoRecordings />;
  if (filtered) return <FilteredOut title={t('recordings.noMatch')} onClear={onClear} />;
  return <EmptyState icon={<CalendarOff />} title={t('recordings.emptyDay')} />;
}

function Skeletons() {
  return (
    <div className="grid gap-2">
      {['one', 'two', 'three', 'four'].map((name) => (
        <Skeleton key={name} className="h-18" />
      ))}
    </div>
  );
}

export function RecordingList(props: RecordingListProps) {
  const { recordings, day, page, selected, onSelect, onPage } = props;
  const { t } = useTranslation();
  const { query, stale } = recordings;
  const list = ({ count, results }: RecordingPage) => (
    <>
      <output className="text-meta text-muted">{t('recordings.found', { count })}</output>
      {results.length === 0 ? (
        <Nothing {...props} />
      ) : (
        <ul
          aria-label={t('recordings.list')}
          className={cx(
            'grid max-h-[400px] grid-cols-1 gap-1 overflow-y-auto overscroll-contain',
            query.isPlaceholderData && 'opacity-60',
          )}
        >
          {results.map((recording) => (
            <RecordingItem
              key={recording.id}
              recording={recording}
              day={day}
              selected={recording.id === selected}
              onSelect={onSelect}
            />
          ))}
        </ul>
      )}
      <Pagination page={page} pages={Math.ceil(count / PAGE_SIZE)} onPage={onPage} />
    </>
  );
  if (stale !== null) {
    return (
      <>
        <StaleList at={stale.at} query={query} />
        {list(stale.page)}
      </>
    );
  }
  return (
    <QueryView query={query} skeleton={<Skeletons />} failedTitle={t('recordings.loadFailed')}>
      {list}
    </QueryView>
  );
}
