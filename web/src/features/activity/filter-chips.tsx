import { X } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useFormat } from '#lib/format.ts';
import { momentOf } from '#lib/local-day.ts';
import { Button } from '#ui/button.tsx';
import {
  filterNames,
  isFiltered,
  type ActivitySearch,
  type Change,
  type FilterName,
} from './search.ts';
import { useWords } from './words.ts';

export interface FilterChipsProps {
  search: ActivitySearch;
  /** The name of a user whose entries are shown. */
  nameOf: (userId: string) => string | undefined;
  onFilter: (change: Change) => void;
  onClear: () => void;
}

/** What is filtered by, each to be taken away. */
export function FilterChips({ search, nameOf, onFilter, onClear }: FilterChipsProps) {
  const { t } = useTranslation();
  const wordOf = useFilterWords(search, nameOf);
  if (!isFiltered(search)) return null;
  return (
    <ul aria-label={t('activityLog.filters')} className="flex flex-wrap items-center gap-2">
      {filterNames.map((name) => {
        const value = wordOf(name);
        if (value === undefined) return null;
        return (
          <li key={name}>
            <button
              type="button"
              className="inline-flex min-h-7 max-w-72 items-center gap-1.5 rounded-full bg-primary-soft px-2.5 text-meta font-medium text-primary-text hover:bg-surface-3 touch:min-h-11"
              aria-label={t('activityLog.removeFilter', { value })}
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

function useFilterWords(search: ActivitySearch, nameOf: FilterChipsProps['nameOf']) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const words = useWords();
  const day = (text: string) => formatTime(momentOf(text), { dateStyle: 'medium' });
  const user = (id: string) => nameOf(id) ?? t('activityLog.oneUser');
  const not = (value: string) => t('activityLog.not', { value });
  const of: { [K in FilterName]: (value: NonNullable<ActivitySearch[K]>) => string } = {
    search: (text) => `“${text}”`,
    action: words.action,
    from: (text) => `${t('activityLog.from')}: ${day(text)}`,
    to: (text) => `${t('activityLog.to')}: ${day(text)}`,
    type: (type) => words.type(type),
    object: (text) => `${t('activityLog.object')}: ${text}`,
    ip: (text) => text,
    user,
    notAction: (kind) => not(words.action(kind)),
    notType: (type) => not(words.type(type)),
    notIp: not,
    notUser: (id) => not(user(id)),
  };
  return (name: FilterName): string | undefined => {
    const value = search[name];
    return value === undefined ? undefined : of[name](value as never);
  };
}
