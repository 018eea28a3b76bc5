/** Days and people as a table, 20 rows a page; each row can be marked deleted. */
import type { DailyVisits } from '@nazar/contract/visit-counts.ts';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isPageTooLate } from '#api/problem.ts';
import { isAdministrator } from '#api/rights.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { momentOf } from '#lib/local-day.ts';
import { usePageInstead } from '#parts/use-page-instead.ts';
import { DataTable, type Column } from '#ui/data-list.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { DeleteVisitsButton, DeleteVisit } from './deleting/delete-visits.tsx';
import { useMayDeleteSome } from './deleting/deleting.ts';
import { Nothing } from './panel-card.tsx';
import type { PanelProps } from './panel-context.ts';
import { PanelView } from './panel-view.tsx';
import { dailyQuery, DAYS_PER_PAGE, visitFilters } from './queries.ts';
import { useEmptyText } from './use-empty-text.ts';
import { usePersonName } from './use-person-name.ts';

export function DailyTable({ asked, onChange, onDone }: PanelProps) {
  const page = asked.search.page ?? 1;
  const query = useQuery(dailyQuery(asked, page));
  usePageInstead(isPageTooLate(query.error) ? 1 : null, () => onChange({}, true));
  const [asks, setAsks] = useState<string | null>(null);
  // A row may hold visits of cameras that others added: only administrators delete it as a whole.
  const columns = useColumns(isAdministrator(asked.me) ? setAsks : null);
  const mayDeleteSome = useMayDeleteSome(asked.me);
  const { user: _user, ...filter } = visitFilters('daily', asked);
  const empty = useEmptyText(asked);
  const { t } = useTranslation();
  return (
    <PanelView panel="daily" query={query}>
      {({ count, more, results }) => (
        <>
          {mayDeleteSome && (
            <div className="justify-self-end">
              <DeleteVisitsButton filter={filter} isEmpty={results.length === 0} onDone={onDone} />
            </div>
          )}
          {results.length === 0 ? (
            <Nothing title={empty} />
          ) : (
            <DataTable
              caption={t('panels.names.daily')}
              columns={columns}
              rows={results}
              rowKey={({ id }) => id}
            />
          )}
          {more && <output className="text-ui text-muted">{t('activityLog.more')}</output>}
          <Pagination
            page={page}
            pages={Math.ceil(count / DAYS_PER_PAGE)}
            onPage={(next) => onChange({ page: next > 1 ? next : undefined })}
          />
          <DeleteVisit id={asks} isDay onDone={onDone} onClose={() => setAsks(null)} />
        </>
      )}
    </PanelView>
  );
}

function useColumns(onDelete: ((id: string) => void) | null): readonly Column<DailyVisits>[] {
  const { t } = useTranslation();
  const { formatNumber, formatTime } = useFormat();
  const nameOf = usePersonName();
  const dayName = (day: string) => formatTime(momentOf(day), { dateStyle: 'medium' });
  const clock = (at: string) => formatTime(at, { timeStyle: 'short' });
  const figure = (key: 'recognized_count' | 'unrecognized_count', header: string) => ({
    key,
    header,
    numeric: true,
    room: 'medium' as const,
    cell: (row: DailyVisits) => formatNumber(row[key]),
  });
  return [
    {
      key: 'day',
      header: t('panels.day'),
      cell: ({ date }) => dayName(date),
      room: 'small',
      className: 'whitespace-nowrap',
    },
    {
      key: 'person',
      header: t('panels.filter.person'),
      // Where the column of days has no room they stand here.
      cell: (row) => (
        <>
          <span className="block text-meta text-muted @min-[28rem]:hidden">
            {dayName(row.date)}
          </span>{' '}
          <span>{nameOf(row)}</span>
        </>
      ),
      className: '[overflow-wrap:anywhere]',
    },
    {
      key: 'visits',
      header: t('panels.visits'),
      numeric: true,
      cell: (row) => formatNumber(row.detection_count),
    },
    figure('recognized_count', t('panels.recognized')),
    figure('unrecognized_count', t('panels.unrecognized')),
    {
      key: 'first',
      header: t('panels.firstIn'),
      cell: (row) => clock(row.first_seen),
      room: 'medium',
    },
    {
      key: 'last',
      header: t('panels.lastOut'),
      cell: (row) => clock(row.last_seen),
      room: 'medium',
    },
    ...(onDelete === null
      ? []
      : [
          {
            key: 'delete',
            header: t('panels.markDeleted'),
            hideHeader: true,
            className: 'w-12',
            cell: (row: DailyVisits) => (
              <IconButton
                label={t('panels.deleteDay', { person: nameOf(row), day: dayName(row.date) })}
                onClick={() => onDelete(row.id)}
              >
                <Trash2 aria-hidden />
              </IconButton>
            ),
          },
        ]),
  ];
}
