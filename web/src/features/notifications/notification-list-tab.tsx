/** The list of notifications, found by what stands in the address, with what can be done with them. */
import { useQuery } from '@tanstack/react-query';
import { BellOff, CheckCheck } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { changed } from '#lib/search-values.ts';
import { Arrived } from '#parts/arrived.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { pageInstead, usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { NotificationItem } from './notification-item.tsx';
import { PAGE_SIZE } from './queries.ts';
import { filterOf, filters, type NotificationsSearch } from './search.ts';
import { unreadQuery } from './unread.ts';
import { useChanges, type NotificationChanges } from './use-changes.ts';
import { useNotifications } from './use-notifications.ts';

export interface NotificationListTabProps {
  search: NotificationsSearch;
  onShow: (search: NotificationsSearch, replace?: boolean) => void;
}

export function NotificationListTab({ search, onShow }: NotificationListTabProps) {
  const { t } = useTranslation();
  const changes = useChanges();
  const found = useNotifications(search, changes.deleted);
  const toPage: GoToPage = (page, replace) =>
    onShow(changed(search, { page: page > 1 ? page : undefined }), replace);
  usePageInstead(pageInstead(found.query, search.page, PAGE_SIZE), toPage);
  const { length: waiting } = found.waiting;
  const isNewest = search.page === undefined;
  const arrived = isNewest
    ? t('notifications.arrived', { count: waiting })
    : t('notifications.listChanged');
  const clear = (): void => onShow({});
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-4">
      <Head search={search} changes={changes} onShow={onShow} />
      {changes.refused !== null && (
        <Banner tone="error" onClose={changes.dismiss}>
          {changes.refused}
        </Banner>
      )}
      <StaleNote queries={[found.query]} />
      <Arrived text={waiting > 0 ? arrived : null} onShow={found.showWaiting} />
      <QueryView
        query={found.query}
        failedTitle={t('notifications.failed')}
        skeleton={<ListSkeleton />}
      >
        {() => <Found found={found} changes={changes} search={search} onClear={clear} />}
      </QueryView>
      <Pagination
        page={search.page ?? 1}
        pages={Math.ceil(found.count / PAGE_SIZE)}
        onPage={toPage}
      />
    </div>
  );
}

interface HeadProps extends NotificationListTabProps {
  changes: NotificationChanges;
}

function Head({ search, changes, onShow }: HeadProps) {
  const { t } = useTranslation();
  const unread = useQuery(unreadQuery()).data?.unread_count ?? 0;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <Segmented
        label={t('notifications.show')}
        value={search.filter ?? 'all'}
        onChange={(next) => onShow(changed({}, { filter: filterOf(next) }))}
        options={filters.map((value) => ({ value, label: t(`notifications.filters.${value}`) }))}
      />
      <Button
        look="secondary"
        busy={changes.isMarkingAll}
        // Not disabled: who pressed it keeps the focus.
        aria-disabled={unread === 0 || changes.isMarkingAll || undefined}
        onClick={() => unread > 0 && void changes.markAllAsRead()}
      >
        <CheckCheck aria-hidden />
        {t('notifications.markAll')}
      </Button>
    </div>
  );
}

interface FoundProps {
  found: ReturnType<typeof useNotifications>;
  changes: NotificationChanges;
  search: NotificationsSearch;
  onClear: () => void;
}

function Found({ found: { rows }, changes, search, onClear }: FoundProps) {
  const { t } = useTranslation();
  if (rows.length === 0) return <Nothing search={search} onClear={onClear} />;
  return (
    <ul
      aria-label={t('notifications.title')}
      className="card grid grid-cols-1 divide-y divide-line overflow-hidden"
    >
      {rows.map((notification) => (
        <NotificationItem
          key={notification.id}
          notification={notification}
          onRead={(read) => void changes.markAsRead(read)}
          onRemove={(removed) => void changes.remove(removed)}
        />
      ))}
    </ul>
  );
}

function Nothing({ search: { filter }, onClear }: Pick<FoundProps, 'search' | 'onClear'>) {
  const { t } = useTranslation();
  return (
    <Card>
      {filter === undefined ? (
        <EmptyState
          icon={<BellOff />}
          title={t('notifications.none')}
          text={t('notifications.noneText')}
        />
      ) : (
        <FilteredOut title={t(`notifications.noMatch.${filter}`)} onClear={onClear} />
      )}
    </Card>
  );
}

function ListSkeleton() {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="flex h-20 items-center gap-3 p-3">
          <Skeleton className="size-8 shrink-0" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-64 max-w-full" />
            <Skeleton className="h-3 w-40 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
