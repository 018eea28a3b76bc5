/** What was sent, found by what stands in the address. */
import type { Webhook } from '@nazar/contract/webhooks.ts';
import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { isPageTooLate, problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { changed } from '#lib/search-values.ts';
import { useMedia } from '#lib/use-media.ts';
import { QueryView } from '#parts/query-view.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Banner } from '#ui/banner.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Card } from '#ui/card.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryRows, DeliveryTable } from './delivery-rows.tsx';
import { PAGE_SIZE, deliveriesQuery, useSendAgain } from './queries.ts';
import type { WebhooksSearch } from './search.ts';

/** Narrower screens get rows: a table would have to be pushed sideways. */
const ROOM_FOR_TABLE = '(min-width: 60rem)';

export interface DeliveryLogProps {
  webhooks: readonly Webhook[];
  search: WebhooksSearch;
  onShow: (search: WebhooksSearch, replace?: boolean) => void;
}

const isFiltered = ({ webhook, state, from, to }: WebhooksSearch): boolean =>
  [webhook, state, from, to].some((value) => value !== undefined);

export function DeliveryLog({ webhooks, search, onShow }: DeliveryLogProps) {
  const { t } = useTranslation();
  const query = useQuery(deliveriesQuery(search));
  const again = useSendAgain();
  const isWide = useMedia(ROOM_FOR_TABLE);
  const toPage: GoToPage = (page, replace) =>
    onShow(changed(search, { page: page > 1 ? page : undefined }), replace);
  usePageInstead(isPageTooLate(query.error) ? 1 : null, toPage);
  const List = isWide ? DeliveryTable : DeliveryRows;
  const isSending = (id: string): boolean => again.isPending && again.variables === id;
  return (
    <section aria-labelledby="deliveries" className="grid grid-cols-1 gap-3">
      <div>
        <h2 id="deliveries" className="text-card font-semibold">
          {t('webhooks.log')}
        </h2>
        <p className="text-ui text-muted">{t('webhooks.logText')}</p>
      </div>
      <DeliveryFilters
        webhooks={webhooks}
        search={search}
        onFilter={(change) => onShow(changed(search, { ...change, page: undefined }))}
      />
      <StaleNote queries={[query]} />
      {again.isError && <Banner tone="error">{problemSentence(again.error)}</Banner>}
      <QueryView
        query={query}
        failedTitle={t('webhooks.logFailed')}
        skeleton={<Skeleton className="h-64 rounded-card" />}
      >
        {({ results, count }) => (
          <>
            {results.length === 0 ? (
              <Nothing search={search} onClear={() => onShow({})} />
            ) : (
              <List deliveries={results} isSending={isSending} onAgain={(id) => again.mutate(id)} />
            )}
            <Pagination
              page={search.page ?? 1}
              pages={Math.ceil(count / PAGE_SIZE)}
              onPage={toPage}
            />
          </>
        )}
      </QueryView>
    </section>
  );
}

function Nothing({ search, onClear }: { search: WebhooksSearch; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Card>
      {isFiltered(search) ? (
        <FilteredOut title={t('ui.filteredOut')} onClear={onClear} />
      ) : (
        <EmptyState
          icon={<Inbox />}
          title={t('webhooks.logNone')}
          text={t('webhooks.logNoneText')}
        />
      )}
    </Card>
  );
}
