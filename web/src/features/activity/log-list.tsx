/** The entries of a page of the log: a table where there is room, cards elsewhere or by choice. */
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { useTranslation } from '#lib/i18n.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { DataTable, type Column } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ChangeLine } from './entry/change-line.tsx';
import { ActionValue, EntryBadges, IpValue, TypeValue, UserValue } from './entry/entry-values.tsx';
import { Highlight } from './highlight.tsx';
import type { Change } from './search.ts';

export interface LogListProps {
  entries: readonly ActivityEntry[];
  term: string | undefined;
  /** Whose the entries are is of interest only where all are shown. */
  showsUser: boolean;
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onOpen: (id: string) => void;
  onFilter: (change: Change) => void;
}

function Sentence({ entry, term, onOpen }: Pick<LogListProps, 'term' | 'onOpen'> & RowPart) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="line-clamp-2 min-h-6 text-left font-medium [overflow-wrap:anywhere] hover:underline touch:min-h-11"
      aria-label={t('activityLog.open', { text: entry.description })}
      onClick={() => onOpen(entry.id)}
    >
      <Highlight text={entry.description} term={term} />
    </button>
  );
}

interface RowPart {
  entry: ActivityEntry;
}

function Choice({ entry, chosen, onChoose }: Pick<LogListProps, 'chosen' | 'onChoose'> & RowPart) {
  const { t } = useTranslation();
  return (
    <Checkbox
      aria-label={t('activityLog.select', { text: entry.description })}
      checked={chosen.has(entry.id)}
      onChange={({ target }) => onChoose([entry.id], target.checked)}
    />
  );
}

function useColumns(props: LogListProps): readonly Column<ActivityEntry>[] {
  const { t } = useTranslation();
  const { term, showsUser, onFilter } = props;
  const of = (entry: ActivityEntry) => ({ entry, onFilter, term });
  return [
    {
      key: 'choose',
      header: t('activityLog.clearSelection'),
      hideHeader: true,
      className: 'w-8',
      cell: (entry) => <Choice entry={entry} {...props} />,
    },
    {
      key: 'what',
      header: t('activityLog.what'),
      cell: (entry) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Sentence entry={entry} {...props} />
          <EntryBadges entry={entry} />
          <ChangeLine entry={entry} term={term} />
        </span>
      ),
    },
    {
      key: 'action',
      header: t('activityLog.action'),
      cell: (entry) => <ActionValue {...of(entry)} />,
    },
    {
      key: 'type',
      header: t('activityLog.type'),
      cell: (entry) => <TypeValue {...of(entry)} />,
      room: 'medium',
    },
    ...(showsUser
      ? [
          {
            key: 'user',
            header: t('activityLog.user'),
            cell: (entry: ActivityEntry) => <UserValue {...of(entry)} />,
            className: 'max-w-48',
          },
        ]
      : []),
    {
      key: 'ip',
      header: t('activityLog.ip'),
      cell: (entry) => <IpValue {...of(entry)} />,
      room: 'medium',
    },
    {
      key: 'time',
      header: t('activityLog.time'),
      cell: ({ timestamp }) => <TimeAgo at={timestamp} />,
      className: 'text-muted whitespace-nowrap',
    },
  ];
}

export function LogTable(props: LogListProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('activityLog.title')}
      columns={useColumns(props)}
      rows={props.entries}
      rowKey={({ id }) => id}
    />
  );
}

export function LogCards(props: LogListProps) {
  const { t } = useTranslation();
  const { entries, term, showsUser, onFilter } = props;
  return (
    <ul
      aria-label={t('activityLog.title')}
      className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3"
    >
      {entries.map((entry) => {
        const of = { entry, onFilter, term };
        return (
          <li key={entry.id} className="card grid grid-cols-1 content-start gap-2 p-3">
            <div className="flex items-start gap-2.5">
              <Choice entry={entry} {...props} />
              <div className="min-w-0 flex-1">
                <Sentence entry={entry} {...props} />
                <ChangeLine entry={entry} term={term} />
              </div>
            </div>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
              <ActionValue {...of} />
              <TypeValue {...of} />
              {showsUser && <UserValue {...of} />}
              <IpValue {...of} />
            </div>
            <div className="flex flex-wrap items-center gap-2 text-meta text-muted">
              <TimeAgo at={entry.timestamp} />
              <EntryBadges entry={entry} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

export function LogSkeleton() {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      {Array.from({ length: 10 }, (_, index) => (
        <div key={index} className="flex h-11 items-center gap-4 px-3">
          <Skeleton className="size-5" />
          <Skeleton className="h-4 w-56 max-w-full" />
          <Skeleton className="ml-auto hidden h-4 w-24 sm:block" />
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </div>
  );
}
