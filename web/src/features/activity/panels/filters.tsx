/** The filters of the panel that is open; the others wait in the address for theirs. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isAdministrator } from '#api/rights.ts';
import { useTranslation } from '#lib/i18n.ts';
import { SearchBox } from '#parts/search-box.tsx';
import { DateField } from '#ui/date/date-field.tsx';
import { SelectField } from '#ui/fields.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { usualTypes, useWords } from '../words.ts';
import { listFailure, useChoices, withChosen } from './choices.ts';
import type { PanelProps } from './panel-context.ts';
import { filtersOf, type PanelFilter } from './panel-filters.ts';
import { periods, usualDays, visitKinds, type Panel } from './panels.ts';
import { PersonFilter } from './person-filter.tsx';
import { cameraNamesQuery, usersQuery } from './queries.ts';
import { LevelFilter, SourceFilter } from './system/line-filters.tsx';

export type FiltersProps = Pick<PanelProps, 'asked' | 'onChange'>;

const fields: Readonly<
  Record<Exclude<PanelFilter, 'period'>, (props: FiltersProps & { panel: Panel }) => ReactNode>
> = {
  search: KeywordFilter,
  type: TypeFilter,
  camera: CameraFilter,
  person: PersonFilter,
  known: KnownFilter,
  level: LevelFilter,
  source: SourceFilter,
  user: UserFilter,
};

export function Filters({ panel, ...props }: FiltersProps & { panel: Panel }) {
  const shown = filtersOf(panel, isAdministrator(props.asked.me));
  return (
    <div className="grid grid-cols-1 gap-3">
      <PeriodFilter {...props} />
      {shown.length > 1 && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-4">
          {shown.map((filter) => {
            if (filter === 'period') return null;
            const Filter = fields[filter];
            return <Filter key={filter} panel={panel} {...props} />;
          })}
        </div>
      )}
    </div>
  );
}

/** The last days, or from one date to the other. */
function PeriodFilter({ asked: { period, search }, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const value = period.isByDates ? 'dates' : String(search.days ?? usualDays);
  const lastDays = periods.map((days) => ({
    value: String(days),
    label: t('panels.lastDays', { count: days }),
  }));
  const choose = (next: string): void => {
    const days = periods.find((one) => String(one) === next);
    if (next === 'dates') onChange({ from: period.from, to: period.to, days: undefined });
    else
      onChange({
        days: days === usualDays ? undefined : days,
        from: undefined,
        to: undefined,
        hour: undefined,
      });
  };
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <Segmented
        label={t('panels.filter.period')}
        value={value}
        onChange={choose}
        options={[...lastDays, { value: 'dates', label: t('panels.dates') }]}
      />
      {period.isByDates && (
        <div className="flex flex-wrap gap-2">
          <DateField
            label={t('activityLog.from')}
            value={period.from}
            max={period.to}
            onDay={(day) => {
              if (day) onChange({ from: day, hour: undefined });
            }}
          />
          <DateField
            label={t('activityLog.to')}
            value={period.to}
            min={period.from}
            onDay={(day) => {
              if (day) onChange({ to: day, hour: undefined });
            }}
          />
        </div>
      )}
    </div>
  );
}

function KeywordFilter({ asked, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <search className="self-end">
      <SearchBox
        label={t('panels.filter.search')}
        value={asked.search.search ?? ''}
        onSearch={(text) => onChange({ search: text === '' ? undefined : text })}
      />
    </search>
  );
}

function TypeFilter({ asked: { search }, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const words = useWords();
  const types = [...new Set([...usualTypes, ...(search.type ? [search.type] : [])])];
  return (
    <SelectField
      label={t('panels.filter.type')}
      value={search.type ?? ''}
      onChange={({ target }) => onChange({ type: target.value || undefined })}
      options={[
        { value: '', label: t('activityLog.allTypes') },
        ...types.map((value) => ({ value, label: words.type(value) })),
      ]}
    />
  );
}

function CameraFilter({ asked: { search }, onChange, panel }: FiltersProps & { panel: Panel }) {
  const { t } = useTranslation();
  const { query, last, failure } = useChoices(cameraNamesQuery());
  const cameras = (last ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      label={t('panels.filter.camera')}
      error={query.isError ? failure(listFailure(t, panel, 'camera')) : undefined}
      value={search.camera ?? ''}
      onChange={({ target }) => onChange({ camera: target.value || undefined })}
      options={[
        { value: '', label: t('panels.allCameras') },
        ...withChosen(cameras, search.camera, t('panels.thisCamera')),
      ]}
    />
  );
}

function KnownFilter({ asked: { search }, onChange }: FiltersProps) {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t('panels.filter.known')}
      value={search.known ?? ''}
      onChange={({ target: { value } }) =>
        onChange({ known: visitKinds.find((kind) => kind === value) })
      }
      options={[
        { value: '', label: t('panels.all') },
        { value: 'yes', label: t('panels.recognized') },
        { value: 'no', label: t('panels.unrecognized') },
        { value: 'erased', label: t('panels.erasedPeople') },
      ]}
    />
  );
}

/** For administrators alone. */
function UserFilter({ asked: { search }, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const { data } = useQuery(usersQuery());
  const users = (data?.results ?? []).map(({ id, first_name, last_name, email }) => ({
    value: id,
    label: `${first_name} ${last_name}`.trim() || email,
  }));
  return (
    <SelectField
      label={t('panels.filter.user')}
      value={search.user ?? ''}
      onChange={({ target }) => onChange({ user: target.value || undefined })}
      options={[
        { value: '', label: t('panels.allUsers') },
        ...withChosen(users, search.user, t('activityLog.oneUser')),
      ]}
    />
  );
}
