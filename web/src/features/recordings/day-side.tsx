/** Beside the player: the day, what of it is wanted, and what was recorded on it. */
import type { Recording } from '@nazar/contract/recordings.ts';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { momentOf } from '#lib/local-day.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Select } from '#ui/select.tsx';
import { DayPicker } from './day-picker.tsx';
import { PAGE_SIZE, type RecordingPage } from './queries.ts';
import { RecordingList } from './recording-list.tsx';
import { useWords } from './recording-words.ts';
import {
  isFiltered,
  recordingFilters,
  type RecordingsChange,
  type RecordingsSearch,
} from './recordings-address.ts';
import type { ArchiveCamera } from './use-archive-camera.ts';
import { useNewestDay, useWrongDay, type Switched } from './use-chosen-day.ts';
import { useRecordings } from './use-recordings.ts';

export interface DaySideProps {
  camera: ArchiveCamera;
  day: string;
  today: string;
  timezone: string;
  search: RecordingsSearch;
  /** `replace`: without a step back to what was before. */
  go: (change: RecordingsChange, replace?: boolean) => void;
  onSelect: (recording: Recording) => void;
  /** What is in the list now. */
  onListed: (page: RecordingPage | undefined) => void;
  /** At the end of the title line. */
  aside?: ReactNode;
}

type FiltersProps = Pick<DaySideProps, 'search' | 'go'>;

function Filters({ search, go }: FiltersProps) {
  const { t } = useTranslation();
  const { filter = 'all', person } = search;
  return (
    <>
      <SearchBox
        label={t('recordings.search')}
        value={search.search ?? ''}
        onSearch={(text) => go({ search: text, page: undefined })}
      />
      <Select
        aria-label={t('recordings.filter')}
        value={filter}
        onChange={({ target }) =>
          go({
            filter: recordingFilters.find((one) => one === target.value),
            page: undefined,
          })
        }
        options={(['all', ...recordingFilters] as const).map((value) => ({
          value,
          label: t(`recordings.filters.${value}`),
        }))}
      />
      {person !== undefined && (
        <p className="flex flex-wrap items-center gap-x-3 text-meta text-muted">
          {t('recordings.onePerson')}
          <Button look="link" onClick={() => go({ person: undefined, page: undefined })}>
            {t('recordings.everyone')}
          </Button>
        </p>
      )}
    </>
  );
}

/** Why another day is shown than the one that was asked for. */
function DayNote({ wrong, switched }: { wrong: string | null; switched: Switched | null }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <output className="grid gap-1 text-meta text-muted empty:hidden">
      {wrong !== null && <span>{t('recordings.wrongDay', { day: wrong })}</span>}
      {switched !== null && (
        <span>
          {t('recordings.switched', {
            from: words.date(momentOf(switched.from)),
            to: words.date(momentOf(switched.to)),
          })}
        </span>
      )}
    </output>
  );
}

export function DaySide(props: DaySideProps) {
  const { camera, day, today, timezone, search, go, onSelect, onListed, aside } = props;
  const { t } = useTranslation();
  const recordings = useRecordings({ cameraId: camera.id, day, timezone }, camera.name, search);
  const { query, stale } = recordings;
  const page = stale?.page ?? query.data;
  useEffect(() => onListed(page), [onListed, page]);
  const { wrong, forget } = useWrongDay(search);
  const isEmpty =
    query.isSuccess && !query.isPlaceholderData && query.data.count === 0 && !query.isFetching;
  const { switched, empty } = useNewestDay({
    cameraId: camera.id,
    day,
    timezone,
    isEmpty,
    go: (change) => go(change, true),
  });
  const number = search.page ?? 1;
  const pages = Math.max(1, Math.ceil((page?.count ?? 0) / PAGE_SIZE));
  const isBeyond = page !== undefined && !query.isPlaceholderData && number > pages;
  useEffect(() => {
    // The last recording of the last page was removed.
    if (isBeyond) go({ page: pages > 1 ? pages : undefined }, true);
  });
  return (
    <Card
      title={t('recordings.title')}
      aside={aside}
      className="grid grid-cols-1 gap-3 *:mb-0 lg:col-start-2 lg:row-span-4 lg:row-start-1"
    >
      <DayPicker
        cameraId={camera.id}
        timezone={timezone}
        day={day}
        today={today}
        onDay={(chosen) => {
          forget();
          go({ day: chosen, page: undefined });
        }}
      />
      <DayNote wrong={wrong} switched={switched} />
      <Filters search={search} go={go} />
      <RecordingList
        recordings={recordings}
        day={day}
        filtered={isFiltered(search)}
        empty={empty}
        page={number}
        selected={search.recording}
        onSelect={onSelect}
        onPage={(next) => go({ page: next > 1 ? next : undefined })}
        onClear={() =>
          go({ filter: undefined, search: undefined, person: undefined, page: undefined })
        }
      />
    </Card>
  );
}
