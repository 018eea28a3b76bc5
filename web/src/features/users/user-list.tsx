import type { ListedUser } from '@nazar/contract/users.ts';
import { useTranslation } from '#lib/i18n.ts';
import { initials } from '#lib/initials.ts';
import { TimeAgo } from '#parts/time-ago.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { DataTable, Row, RowList, type Column } from '#ui/data-list.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { fullName } from './queries.ts';
import { StateBadge, useRoleWords } from './user-badges.tsx';

export interface UserListProps {
  users: readonly ListedUser[];
  onOpen: (user: ListedUser) => void;
}

function Name({ user, onOpen }: { user: ListedUser; onOpen: () => void }) {
  const { t } = useTranslation();
  const name = fullName(user);
  return (
    <button
      type="button"
      className="max-w-full truncate text-left font-medium hover:underline"
      aria-label={t('users.open', { name })}
      onClick={onOpen}
    >
      {name}
    </button>
  );
}

function LastLogin({ user }: { user: ListedUser }) {
  const { t } = useTranslation();
  if (user.last_login_at === null) return <span className="text-muted">{t('users.never')}</span>;
  return <TimeAgo at={user.last_login_at} />;
}

function useColumns(onOpen: UserListProps['onOpen']): readonly Column<ListedUser>[] {
  const { t } = useTranslation();
  const roleWords = useRoleWords();
  return [
    {
      key: 'name',
      header: t('users.name'),
      cell: (user) => (
        <span className="flex items-center gap-3">
          <Avatar initials={initials(user.first_name, user.last_name)} size="small" />
          <span className="min-w-0 max-w-56">
            <Name user={user} onOpen={() => onOpen(user)} />
          </span>
        </span>
      ),
    },
    {
      key: 'email',
      header: t('login.email'),
      cell: (user) => (
        <span className="block max-w-64 truncate text-muted" title={user.email}>
          {user.email}
        </span>
      ),
    },
    { key: 'role', header: t('users.role'), cell: roleWords },
    { key: 'state', header: t('users.state'), cell: (user) => <StateBadge user={user} /> },
    {
      key: 'last',
      header: t('users.lastLogin'),
      cell: (user) => <LastLogin user={user} />,
      room: 'medium',
    },
  ];
}

export function UserTable({ users, onOpen }: UserListProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      caption={t('users.title')}
      columns={useColumns(onOpen)}
      rows={users}
      rowKey={(user) => user.id}
    />
  );
}

/** The same for narrow screens. */
export function UserRows({ users, onOpen }: UserListProps) {
  const { t } = useTranslation();
  const roleWords = useRoleWords();
  return (
    <div className="card px-3 sm:px-4">
      <RowList label={t('users.title')}>
        {users.map((user) => (
          <Row
            key={user.id}
            lead={<Avatar initials={initials(user.first_name, user.last_name)} size="small" />}
            title={<Name user={user} onOpen={() => onOpen(user)} />}
            text={
              <>
                <span className="block truncate">{user.email}</span>
                {roleWords(user)}
              </>
            }
            aside={<StateBadge user={user} />}
          />
        ))}
      </RowList>
    </div>
  );
}

export function UsersSkeleton() {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-[52px] items-center gap-4 px-3">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="ml-auto h-5 w-20 rounded-full" />
        </div>
      ))}
    </div>
  );
}
