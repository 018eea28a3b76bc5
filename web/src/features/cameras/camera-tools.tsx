import { cameraStatuses } from '@nazar/contract/cameras.ts';
import { LayoutGrid, List, RefreshCw } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { changePreferences, usePreferences } from '#api/session.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { Spinner } from '#ui/spinner.tsx';
import type { CameraFilters, CameraStatus } from './camera-filters.ts';
import { GroupFilter, OwnerFilter } from './filters/list-filters.tsx';
import { SearchBox } from '#parts/search-box.tsx';

export interface CameraToolsProps {
  filters: CameraFilters;
  /** Begins again at the first page. */
  onFilter: (change: Omit<CameraFilters, 'page'>) => void;
  refreshing: boolean;
  onRefresh: () => void;
}

export function CameraTools({ filters, onFilter, refreshing, onRefresh }: CameraToolsProps) {
  const { t } = useTranslation();
  const view = usePreferences().cameras_view;
  const options = [
    { value: 'all', label: t('cameras.allStatuses') },
    ...cameraStatuses.map((value) => ({ value, label: t(`camera.statuses.${value}`) })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-full sm:w-72">
        <SearchBox
          label={t('cameras.search')}
          value={filters.search ?? ''}
          onSearch={(search) => onFilter({ search })}
        />
      </div>
      <div className="min-w-40 flex-1 sm:flex-none">
        <Select
          aria-label={t('cameras.statusFilter')}
          options={options}
          value={filters.status ?? 'all'}
          onChange={({ target }) =>
            onFilter({
              status: cameraStatuses.find((one): one is CameraStatus => one === target.value),
            })
          }
        />
      </div>
      <GroupFilter filters={filters} onFilter={onFilter} />
      <OwnerFilter filters={filters} onFilter={onFilter} />
      <IconButton
        label={t('cameras.refresh')}
        look="secondary"
        aria-busy={refreshing}
        onClick={onRefresh}
      >
        {refreshing ? <Spinner /> : <RefreshCw aria-hidden />}
      </IconButton>
      <div className="ml-auto">
        <Segmented
          label={t('cameras.view')}
          value={view}
          onChange={(next) => void changePreferences({ cameras_view: next })}
          options={[
            {
              value: 'grid',
              label: t('cameras.grid'),
              icon: <LayoutGrid aria-hidden />,
              hideLabel: true,
            },
            {
              value: 'list',
              label: t('cameras.list'),
              icon: <List aria-hidden />,
              hideLabel: true,
            },
          ]}
        />
      </div>
    </div>
  );
}
