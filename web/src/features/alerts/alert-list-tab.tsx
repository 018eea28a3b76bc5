/** The list of alerts, found by what stands in the address, with what can be done to them. */
import { ShieldCheck } from 'lucide-react';
import { isPageTooLate } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { changed } from '#lib/search-values.ts';
import { QueryView } from '#parts/query-view.tsx';
import { usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { useActionDialogs } from './action-dialogs.tsx';
import { AlertFilters } from './alert-filters.tsx';
import { AlertFigures } from './alert-figures.tsx';
import { AlertList } from './alert-list.tsx';
import { AlertNotices } from './alert-notices.tsx';
import { AlertWindow } from './details/alert-dialog.tsx';
import { FilterChips, useFilterWords } from './filter-chips.tsx';
import { useAlertKeys } from './keys/use-alert-keys.ts';
import { ArrivedAlerts, StaleAlerts, WaitingChanges } from './notes.tsx';
import { PAGE_SIZE } from './queries.ts';
import { cleared, filterNames, isFiltered, type AlertsSearch, type Change } from './search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { Snoozed } from './snooze/snoozed.tsx';
import { useShown, type ShownAlert } from './shown-alert.ts';
import { useAlerts, type Alerts } from './use-alerts.ts';
import { useChangeStatus } from './use-change-status.ts';
import { useChosen } from './use-chosen.ts';

export interface AlertListTabProps {
  search: AlertsSearch;
  onShow: (search: AlertsSearch, replace?: boolean) => void;
  /** Shows which keys there are. */
  onKeys: () => void;
}

export function AlertListTab({ search, onShow, onKeys }: AlertListTabProps) {
  const found = useAlerts(search);
  const shown = useShown();
  const { chosen, choose, clear } = useChosen(search);
  const { change, refused, dismiss } = useChangeStatus();
  const { onAsk, dialogs } = useActionDialogs(change);
  const alerts = found.rows.map(shown);
  const filter = (next: Change): void =>
    onShow(changed(search, { ...next, page: undefined, alert: undefined }));
  const toPage: GoToPage = (page, replace) =>
    onShow(changed(search, { page: page > 1 ? page : undefined }), replace);
  usePageInstead(isPageTooLate(found.query.error) ? 1 : null, toPage);
  const list = { alerts, chosen, onChoose: choose, onChange: change, onAsk };
  const rows = useAlertKeys({ ...list, onKeys });
  return (
    <div ref={rows} className="grid grid-cols-1 gap-4">
      <AlertFigures />
      <Snoozed />
      {chosen.size > 0 ? (
        <SelectionBar {...list} onClear={clear} />
      ) : (
        <div className="grid grid-cols-1 gap-3">
          <AlertFilters search={search} onFilter={filter} />
          <FilterChips search={search} onFilter={filter} onClear={() => onShow(cleared(search))} />
        </div>
      )}
      <WaitingChanges />
      {found.staleAt !== null && <StaleAlerts at={found.staleAt} query={found.query} />}
      <ArrivedAlerts
        found={found}
        isNewest={search.page === undefined && search.order === undefined}
      />
      <Found
        search={search}
        found={found}
        {...list}
        onOpen={(alert) => onShow(changed(search, { alert }))}
        onPage={toPage}
        onClear={() => onShow(cleared(search))}
      />
      {search.alert !== undefined && (
        <AlertWindow
          id={search.alert}
          onChange={change}
          onClose={() => onShow(changed(search, { alert: undefined }), true)}
        />
      )}
      {dialogs}
      <AlertNotices refused={refused(found.rows)} onDismiss={dismiss} />
    </div>
  );
}

interface FoundProps extends Omit<Parameters<typeof AlertList>[0], 'alerts'> {
  search: AlertsSearch;
  found: Alerts;
  alerts: readonly ShownAlert[];
  onPage: GoToPage;
  onClear: () => void;
}

function Found({ search, found, onPage, onClear, ...list }: FoundProps) {
  const { t } = useTranslation();
  const { query, count, hasMore } = found;
  if (found.isBlank) {
    return (
      <QueryView query={query} failedTitle={t('alerts.failed')} skeleton={<ListSkeleton />}>
        {() => null}
      </QueryView>
    );
  }
  if (list.alerts.length === 0) return <Nothing search={search} onClear={onClear} />;
  return (
    <>
      <output className="text-ui text-muted">
        {hasMore ? t('alerts.moreThan', { count }) : t('alerts.count', { count })}
      </output>
      <AlertList {...list} />
      <Pagination page={search.page ?? 1} pages={Math.ceil(count / PAGE_SIZE)} onPage={onPage} />
    </>
  );
}

/** Names the filters that hold, so that it is plain why nothing is here. */
function Nothing({ search, onClear }: Pick<FoundProps, 'search' | 'onClear'>) {
  const { t } = useTranslation();
  const wordOf = useFilterWords(search);
  if (isFiltered(search)) {
    const filters = joined(filterNames.map(wordOf), ', ');
    return (
      <Card>
        <FilteredOut title={t('alerts.noMatch', { filters })} onClear={onClear} />
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState icon={<ShieldCheck />} title={t('alerts.empty')} text={t('alerts.emptyText')} />
    </Card>
  );
}

function ListSkeleton() {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-14 items-center gap-4 px-3">
          <Skeleton className="size-9 shrink-0 rounded-control" />
          <Skeleton className="h-4 w-64 max-w-full" />
          <Skeleton className="ml-auto hidden h-5 w-20 rounded-full sm:block" />
        </div>
      ))}
    </div>
  );
}
