/** Filters of the list by what the server knows: groups of cameras and who added them. */
import { cameraGroupRoutes } from '@nazar/contract/access.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { ask } from '#api/query.ts';
import { Select } from '#ui/select.tsx';
import type { CameraFilters } from '../camera-filters.ts';

interface ListFilterProps {
  filters: CameraFilters;
  onFilter: (change: Omit<CameraFilters, 'page'>) => void;
}

interface ChoiceProps {
  label: string;
  all: string;
  /** Stands in the address, whether there is such a choice or not. */
  chosen: string | undefined;
  options: readonly { readonly value: string; readonly label: string }[];
  onChoose: (value: string | undefined) => void;
}

/** What the address names and the server does not know any more is shown as such, so that it can be undone. */
function Choice({ label, all, chosen, options, onChoose }: ChoiceProps) {
  const { t } = useTranslation();
  const isListed = chosen === undefined || options.some(({ value }) => value === chosen);
  const gone = isListed ? [] : [{ value: chosen, label: t('cameraFilters.gone') }];
  return (
    <div className="min-w-40 flex-1 sm:max-w-60 sm:flex-none">
      <Select
        aria-label={label}
        options={[{ value: '', label: all }, ...options, ...gone]}
        value={chosen ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}
      />
    </div>
  );
}

/** Not there where there are no groups to choose from. */
export function GroupFilter({ filters: { group }, onFilter }: ListFilterProps) {
  const { t } = useTranslation();
  const { data } = useQuery(ask('access', cameraGroupRoutes.list, {}));
  const groups = data?.results ?? [];
  if (data === undefined || (groups.length === 0 && group === undefined)) return null;
  return (
    <Choice
      label={t('cameraFilters.group')}
      all={t('cameraFilters.allGroups')}
      chosen={group}
      options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      onChoose={(next) => onFilter({ group: next })}
    />
  );
}

/** Not there where one person added all the cameras that one sees. */
export function OwnerFilter({ filters: { owner }, onFilter }: ListFilterProps) {
  const { t } = useTranslation();
  const { data } = useQuery(ask('cameras', cameraRoutes.owners, {}));
  const owners = data?.results ?? [];
  if (data === undefined || (owners.length < 2 && owner === undefined)) return null;
  return (
    <Choice
      label={t('cameraFilters.owner')}
      all={t('cameraFilters.allOwners')}
      chosen={owner}
      options={owners.map(({ id, email }) => ({ value: id, label: email }))}
      onChoose={(next) => onFilter({ owner: next })}
    />
  );
}
