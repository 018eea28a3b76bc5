import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { UserPlus, Users } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { useMedia } from '#lib/use-media.ts';
import { NoticeBanner, useNotice } from '#parts/notice.tsx';
import { Page } from '#parts/page.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { SettingsNav } from '#parts/settings-nav.tsx';
import { StaleNote } from '#parts/stale-note.tsx';
import { pageInstead, usePageInstead, type GoToPage } from '#parts/use-page-instead.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState, FilteredOut, NotAllowed } from '#ui/empty-state.tsx';
import { Pagination } from '#ui/pagination.tsx';
import type { AddDialogProps } from './add-dialog.tsx';
import { mayInvite, PAGE_SIZE, usersQuery } from './queries.ts';
import { isFiltered, type UsersSearch } from './search.ts';
import type { UserDialogProps } from './user-dialog.tsx';
import { UserFilters } from './user-filters.tsx';
import { UserRows, UsersSkeleton, UserTable } from './user-list.tsx';

const route = getRouteApi('/shell/settings/users');

const { Component: AddDialog } = onDemand<AddDialogProps>(
  async () => (await import('./add-dialog.tsx')).AddDialog,
);
const { Component: UserDialog } = onDemand<UserDialogProps>(
  async () => (await import('./user-dialog.tsx')).UserDialog,
);

const NOTICE_MS = 3000;
/** Narrower screens get rows: a table would have to be pushed sideways. */
const ROOM_FOR_TABLE = '(min-width: 60rem)';

type Change = { [K in keyof UsersSearch]?: UsersSearch[K] | undefined };

/** The address with some of its parts changed; what is undefined leaves it. */
function changed(search: UsersSearch, change: Change): UsersSearch {
  const entries = Object.entries({ ...search, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export function UsersPage() {
  const { t } = useTranslation();
  const me = useUser();
  return isAdministrator(me) ? (
    <UsersScreen />
  ) : (
    <Page title={t('users.title')}>{<NotAllowed />}</Page>
  );
}

function UsersScreen() {
  const { t } = useTranslation();
  const me = useUser();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [notice, setNotice] = useNotice();
  const go = (change: Change, replace = false): void =>
    void navigate({ search: changed(search, change), replace });
  return (
    <Page
      title={t('users.title')}
      subtitle={t('users.subtitle')}
      actions={
        mayInvite(me) && (
          <Button onClick={() => go({ add: true })}>
            <UserPlus aria-hidden />
            {t('users.add')}
          </Button>
        )
      }
    >
      <SettingsNav />
      <UserFilters search={search} onFilter={(change) => go({ ...change, page: undefined })} />
      <UserResults
        search={search}
        onOpen={(user) => go({ user })}
        onPage={(page, replace) => go({ page: page > 1 ? page : undefined }, replace)}
        onClear={() => void navigate({ search: {} })}
      />
      {search.add && <AddDialog onClose={() => go({ add: undefined }, true)} />}
      {search.user !== undefined && (
        <UserDialog
          id={search.user}
          tab={search.tab ?? 'account'}
          onTab={(tab) => go({ tab: tab === 'account' ? undefined : tab }, true)}
          onClose={() => go({ user: undefined, tab: undefined }, true)}
          onDone={setNotice}
        />
      )}
      <NoticeBanner notice={notice} clearAfterMs={NOTICE_MS} onClose={() => setNotice(null)} />
    </Page>
  );
}

interface UserResultsProps {
  search: UsersSearch;
  onOpen: (id: string) => void;
  onPage: GoToPage;
  onClear: () => void;
}

function UserResults({ search, onOpen, onPage, onClear }: UserResultsProps) {
  const { t } = useTranslation();
  const users = useQuery(usersQuery(search));
  usePageInstead(pageInstead(users, search.page, PAGE_SIZE), onPage);
  const List = useMedia(ROOM_FOR_TABLE) ? UserTable : UserRows;
  return (
    <>
      <StaleNote queries={[users]} />
      <QueryView query={users} skeleton={<UsersSkeleton />}>
        {({ results, count }) => (
          <>
            <output className="text-ui text-muted">{t('users.count', { count })}</output>
            {results.length === 0 ? (
              <Card>
                {isFiltered(search) ? (
                  <FilteredOut title={t('users.noMatch')} onClear={onClear} />
                ) : (
                  <EmptyState icon={<Users />} title={t('users.noMatch')} />
                )}
              </Card>
            ) : (
              <List users={results} onOpen={({ id }) => onOpen(id)} />
            )}
            <Pagination
              page={search.page ?? 1}
              pages={Math.ceil(count / PAGE_SIZE)}
              onPage={onPage}
            />
          </>
        )}
      </QueryView>
    </>
  );
}
