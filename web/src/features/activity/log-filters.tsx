import { activityKinds, type ActivityKind } from '@nazar/contract/activity.ts';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useTyped } from '#lib/use-typed.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { Button } from '#ui/button.tsx';
import { DateField } from '#ui/date/date-field.tsx';
import { SelectField, TextField } from '#ui/fields.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { Select } from '#ui/select.tsx';
import { LayoutGrid, Table } from 'lucide-react';
import {
  sortColumns,
  usualOrder,
  type ActivitySearch,
  type Change,
  type Direction,
  type SortColumn,
} from './search.ts';
import { usualTypes, useWords } from './words.ts';

export interface LogFiltersProps {
  search: ActivitySearch;
  /** Types of the entries that are shown. */
  types: readonly string[];
  showsUser: boolean;
  onFilter: (change: Change) => void;
  onShow: (change: Change) => void;
}

/** The search form, the order, the view, and the filters behind a button. */
export function LogFilters(props: LogFiltersProps) {
  const { t } = useTranslation();
  const { search, onFilter, onShow } = props;
  const isUsed = [
    search.action,
    search.from,
    search.to,
    search.type,
    search.object,
    search.ip,
  ].some((value) => value !== undefined);
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <search className="min-w-0 flex-1 basis-full sm:basis-64">
          <SearchBox
            label={t('activityLog.search')}
            value={search.search ?? ''}
            onSearch={(text) => onFilter({ search: text === '' ? undefined : text })}
          />
        </search>
        <Button
          look="secondary"
          aria-expanded={isOpen}
          aria-controls="activity-filters"
          aria-label={t('activityLog.advanced')}
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden />
          {t('activityLog.filters')}
        </Button>
        <SortSelect {...props} />
        <span className="hidden md:block">
          <Segmented
            label={t('activityLog.view')}
            value={search.view ?? 'table'}
            onChange={(view) => onShow({ view: view === 'cards' ? view : undefined })}
            options={[
              {
                value: 'table',
                label: t('activityLog.views.table'),
                icon: <Table />,
                hideLabel: true,
              },
              {
                value: 'cards',
                label: t('activityLog.views.cards'),
                icon: <LayoutGrid />,
                hideLabel: true,
              },
            ]}
          />
        </span>
      </div>
      <div id="activity-filters" hidden={!isOpen}>
        {isOpen && <AdvancedFilters {...props} />}
      </div>
    </div>
  );
}

function SortSelect({ search, showsUser, onFilter }: LogFiltersProps) {
  const { t } = useTranslation();
  const { sort = 'timestamp', order = usualOrder(sort) } = search;
  const columns = sortColumns.filter((column) => showsUser || column !== 'user');
  const options = columns.flatMap((column) =>
    (['asc', 'desc'] as const).map((direction) => ({
      value: `${column}.${direction}`,
      label: t(`activityLog.sorts.${column}.${direction}`),
    })),
  );
  return (
    <Select
      aria-label={t('activityLog.sort')}
      className="min-w-0 flex-1 basis-36 sm:w-52 sm:flex-none"
      value={`${sort}.${order}`}
      onChange={({ target }) => {
        const [column, direction] = target.value.split('.') as [SortColumn, Direction];
        onFilter({
          sort: column === 'timestamp' ? undefined : column,
          order: direction === usualOrder(column) ? undefined : direction,
        });
      }}
      options={options}
    />
  );
}

function AdvancedFilters({ search, types, onFilter }: LogFiltersProps) {
  const { t } = useTranslation();
  const words = useWords();
  const offered = [...new Set([...usualTypes, ...types, ...(search.type ? [search.type] : [])])];
  return (
    <div className="card grid grid-cols-1 gap-3 p-3 sm:grid-cols-2 sm:p-4 lg:grid-cols-3">
      <SelectField
        label={t('activityLog.action')}
        value={search.action ?? ''}
        onChange={({ target }) =>
          onFilter({ action: (target.value || undefined) as ActivityKind | undefined })
        }
        options={[
          { value: '', label: t('activityLog.allActions') },
          ...activityKinds.map((value) => ({ value, label: words.action(value) })),
        ]}
      />
      <SelectField
        label={t('activityLog.type')}
        value={search.type ?? ''}
        onChange={({ target }) => onFilter({ type: target.value || undefined })}
        options={[
          { value: '', label: t('activityLog.allTypes') },
          ...offered.map((value) => ({ value, label: words.type(value) })),
        ]}
      />
      <TypedField
        label={t('activityLog.ip')}
        value={search.ip}
        maxLength={45}
        onDone={(ip) => onFilter({ ip })}
      />
      <DateField
        label={t('activityLog.from')}
        value={search.from ?? ''}
        max={search.to}
        onDay={(day) => {
          if (day !== null) onFilter({ from: day || undefined });
        }}
      />
      <DateField
        label={t('activityLog.to')}
        value={search.to ?? ''}
        min={search.from}
        onDay={(day) => {
          if (day !== null) onFilter({ to: day || undefined });
        }}
      />
      <TypedField
        label={t('activityLog.object')}
        value={search.object}
        maxLength={100}
        onDone={(object) => onFilter({ object })}
      />
    </div>
  );
}

interface TypedFieldProps {
  label: string;
  value: string | undefined;
  maxLength: number;
  onDone: (value: string | undefined) => void;
}

/** Asks when it is left, or on Enter: half an address finds nothing. */
function TypedField({ label, value = '', maxLength, onDone }: TypedFieldProps) {
  const [typed, setTyped] = useTyped(value);
  const done = (): void => {
    if (typed.trim() !== value) onDone(typed.trim() || undefined);
  };
  return (
    <TextField
      label={label}
      value={typed}
      maxLength={maxLength}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  );
}
