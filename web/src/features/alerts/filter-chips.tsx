import { X } from 'lucide-react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { momentOf } from '#lib/local-day.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { Button } from '#ui/button.tsx';
import { filterNames, isFiltered, type AlertsSearch, type FilterName } from './search.ts';
import type { AlertFiltersProps } from './alert-filters.tsx';

/** What each filter that holds is called. */
export function useFilterWords(search: AlertsSearch): (name: FilterName) => string | undefined {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const { cameras } = useOwnCameras();
  const day = (text: string) => formatTime(momentOf(text), { dateStyle: 'medium' });
  const of: { [K in FilterName]: (value: NonNullable<AlertsSearch[K]>) => string } = {
    status: (status) => t(`alerts.statuses.${status}`),
    level: (level) => t(`alerts.levels.${level}`),
    camera: (id) => cameras.find((one) => one.id === id)?.name ?? t('alerts.oneCamera'),
    open: () => t('alerts.onlyOpen'),
    mine: () => t('alerts.onlyMine'),
    from: (text) => `${t('alerts.from')}: ${day(text)}`,
    to: (text) => `${t('alerts.to')}: ${day(text)}`,
  };
  return (name) => {
    const value = search[name];
    return value === undefined ? undefined : of[name](value as never);
  };
}

/** What is filtered by, each to be taken away. */
export function FilterChips({
  search,
  onFilter,
  onClear,
}: AlertFiltersProps & { onClear: () => void }) {
  const { t } = useTranslation();
  const wordOf = useFilterWords(search);
  if (!isFiltered(search)) return null;
  return (
    <ul aria-label={t('alerts.filters')} className="flex flex-wrap items-center gap-2">
      {filterNames.map((name) => {
        const value = wordOf(name);
        if (value === undefined) return null;
        return (
          <li key={name}>
            <button
              type="button"
              className="inline-flex min-h-7 max-w-72 items-center gap-1.5 rounded-full bg-primary-soft px-2.5 text-meta font-medium text-primary-text hover:bg-surface-3 touch:min-h-11"
              aria-label={t('alerts.removeFilter', { value })}
              onClick={() => onFilter({ [name]: undefined })}
            >
              <span className="truncate">{value}</span>
              <X aria-hidden className="size-3 shrink-0" />
            </button>
          </li>
        );
      })}
      <li>
        <Button look="link" onClick={onClear}>
          {t('ui.clearFilters')}
        </Button>
      </li>
    </ul>
  );
}
