import { roles, type Role } from '@nazar/contract/accounts.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { Select } from '#ui/select.tsx';
import { offeredOrders, usualOrder, type OfferedOrder, type UsersSearch } from './search.ts';

export interface UserFiltersProps {
  search: UsersSearch;
  /** Names only what changes; undefined lifts a filter. */
  onFilter: (change: {
    [K in 'search' | 'role' | 'status' | 'twoFactor' | 'order']?: UsersSearch[K] | undefined;
  }) => void;
}

const words = {
  name: 'users.order.name',
  email: 'users.order.email',
  '-role': 'users.order.role',
  '-created': 'users.order.created',
  '-last_login': 'users.order.lastLogin',
} as const satisfies Record<OfferedOrder, string>;

export function UserFilters({ search: filters, onFilter }: UserFiltersProps) {
  const { t } = useTranslation();
  const { search = '', role = '', status = '', twoFactor = '', order = usualOrder } = filters;
  const narrow = 'min-w-0 flex-1 basis-36 sm:w-44 sm:flex-none';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1 basis-full sm:basis-64">
        <SearchBox
          label={t('users.search')}
          value={search}
          onSearch={(text) => onFilter({ search: text === '' ? undefined : text })}
        />
      </div>
      <Select
        aria-label={t('users.role')}
        className={narrow}
        value={role}
        onChange={({ target }) => onFilter({ role: (target.value || undefined) as Role })}
        options={[
          { value: '', label: t('users.allRoles') },
          ...roles.map((value) => ({ value, label: t(`users.roles.${value}`) })),
        ]}
      />
      <Select
        aria-label={t('users.state')}
        className={narrow}
        value={status}
        onChange={({ target }) =>
          onFilter({ status: (target.value || undefined) as UsersSearch['status'] })
        }
        options={[
          { value: '', label: t('users.allStates') },
          { value: 'active', label: t('users.active') },
          { value: 'disabled', label: t('users.disabled') },
        ]}
      />
      <Select
        aria-label={t('users.twoFactor')}
        className={narrow}
        value={twoFactor}
        onChange={({ target }) =>
          onFilter({ twoFactor: (target.value || undefined) as UsersSearch['twoFactor'] })
        }
        options={[
          { value: '', label: t('users.twoFactorAny') },
          { value: 'on', label: t('users.twoFactorOn') },
          { value: 'off', label: t('users.twoFactorOff') },
        ]}
      />
      <Select
        aria-label={t('users.sort')}
        className={narrow}
        value={order}
        onChange={({ target }) => {
          const chosen = target.value as OfferedOrder;
          onFilter({ order: chosen === usualOrder ? undefined : chosen });
        }}
        options={offeredOrders.map((value) => ({ value, label: t(words[value]) }))}
      />
    </div>
  );
}
