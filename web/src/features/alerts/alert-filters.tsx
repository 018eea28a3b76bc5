import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { DateField } from '#ui/date/date-field.tsx';
import { SelectField } from '#ui/fields.tsx';
import { Select } from '#ui/select.tsx';
import { levels, orders, statuses, type AlertsSearch, type Change } from './search.ts';

export interface AlertFiltersProps {
  search: AlertsSearch;
  /** Names only what changes; undefined lifts a filter. */
  onFilter: (change: Change) => void;
}

/** Status, level and order; the rest behind a button. */
export function AlertFilters(props: AlertFiltersProps) {
  const { t } = useTranslation();
  const { search } = props;
  const isUsed = [search.camera, search.open, search.mine, search.from, search.to].some(
    (value) => value !== undefined,
  );
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <search className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <ChoiceOfStatus {...props} />
        <ChoiceOfLevel {...props} />
        <ChoiceOfOrder {...props} />
        <Button
          look="secondary"
          aria-expanded={isOpen}
          aria-controls="alert-filters"
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden />
          {t('alerts.moreFilters')}
        </Button>
      </div>
      <div id="alert-filters" hidden={!isOpen}>
        {isOpen && <MoreFilters {...props} />}
      </div>
    </search>
  );
}

const selectLook = 'min-w-0 flex-1 basis-36 sm:w-48 sm:flex-none';

function ChoiceOfStatus({ search, onFilter }: AlertFiltersProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('alerts.status')}
      className={selectLook}
      value={search.status ?? ''}
      onChange={({ target }) => onFilter({ status: statuses.find((one) => one === target.value) })}
      options={[
        { value: '', label: t('alerts.allStatuses') },
        ...statuses.map((value) => ({ value, label: t(`alerts.statuses.${value}`) })),
      ]}
    />
  );
}

function ChoiceOfLevel({ search, onFilter }: AlertFiltersProps) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={t('alerts.level')}
      className={selectLook}
      value={search.level ?? ''}
      onChange={({ target }) => onFilter({ level: levels.find((one) => one === target.value) })}
      options={[
        { value: '', label: t('alerts.allLevels') },
        ...levels.map((value) => ({ value, label: t(`alerts.levels.${value}`) })),
      ]}
    />
  );
}

const orderWords = {
  '-created_at': 'alerts.orders.newest',
  created_at: 'alerts.orders.oldest',
  '-last_at': 'alerts.orders.latest',
  '-level': 'alerts.orders.level',
} as const;

function ChoiceOfOrder({ search, onFilter }: AlertFiltersProps) {
  const { t } = useTranslation();
  const [usual] = orders;
  return (
    <Select
      aria-label={t('alerts.order')}
      className={selectLook}
      value={search.order ?? usual}
      onChange={({ target }) =>
        onFilter({ order: orders.find((one) => one === target.value && one !== usual) })
      }
      options={orders.map((value) => ({ value, label: t(orderWords[value]) }))}
    />
  );
}

function MoreFilters({ search, onFilter }: AlertFiltersProps) {
  const { t } = useTranslation();
  const { cameras } = useOwnCameras();
  return (
    <div className="card grid grid-cols-1 gap-3 p-3 sm:grid-cols-2 sm:p-4 lg:grid-cols-3">
      <SelectField
        label={t('alerts.camera')}
        value={search.camera ?? ''}
        onChange={({ target }) => onFilter({ camera: target.value || undefined })}
        options={[
          { value: '', label: t('alerts.allCameras') },
          ...cameras.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <DateField
        label={t('alerts.from')}
        value={search.from ?? ''}
        max={search.to}
        onDay={(day) => {
          if (day !== null) onFilter({ from: day || undefined });
        }}
      />
      <DateField
        label={t('alerts.to')}
        value={search.to ?? ''}
        min={search.from}
        onDay={(day) => {
          if (day !== null) onFilter({ to: day || undefined });
        }}
      />
      <Checkbox
        label={t('alerts.onlyOpen')}
        checked={search.open === true}
        onChange={({ target }) => onFilter({ open: target.checked ? true : undefined })}
      />
      <Checkbox
        label={t('alerts.onlyMine')}
        checked={search.mine === true}
        onChange={({ target }) => onFilter({ mine: target.checked ? true : undefined })}
      />
    </div>
  );
}
