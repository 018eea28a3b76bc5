/** What narrows the activity log: the search, its filters, what is saved of them, and what is filtered by now. */
import { changed } from '#lib/search-values.ts';
import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { FilterChips } from './filter-chips.tsx';
import { LogFilters } from './log-filters.tsx';
import type { Outcome } from './page-forms.tsx';
import { cleared, type ActivitySearch, type Change } from './search.ts';
import { SearchesMenu } from './searches-menu.tsx';
import { useWords } from './words.ts';

export interface FindBarProps extends Outcome {
  search: ActivitySearch;
  /** The entries that are shown. */
  entries: readonly ActivityEntry[];
  onShow: (search: ActivitySearch) => void;
  onFilter: (change: Change) => void;
  onSave: () => void;
}

export function FindBar({ search, entries, onShow, onFilter, onSave, ...outcome }: FindBarProps) {
  const words = useWords();
  const showsUser = isAdministrator(useUser());
  const nameOf = (id: string): string | undefined => {
    const one = entries.find(({ user }) => user === id);
    return one === undefined ? undefined : words.user(one);
  };
  return (
    <div className="grid grid-cols-1 gap-3">
      <LogFilters
        search={search}
        types={entries.map(({ content_type_name }) => content_type_name)}
        showsUser={showsUser}
        onFilter={onFilter}
        onShow={(change) => onShow(changed(search, change))}
      />
      <div className="flex flex-wrap items-center gap-2">
        <SearchesMenu
          search={search}
          onApply={(next) => onShow(changed(next, { page: undefined }))}
          onSave={onSave}
          {...outcome}
        />
        <FilterChips
          search={search}
          nameOf={nameOf}
          onFilter={onFilter}
          onClear={() => onShow(cleared(search))}
        />
      </div>
    </div>
  );
}
