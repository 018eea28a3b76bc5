import { useQuery } from '@tanstack/react-query';
import { RefreshCw, Search, X } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { useTyped } from '#lib/use-typed.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Input } from '#ui/input.tsx';
import { Select } from '#ui/select.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { categoriesQuery } from '../queries.ts';
import type { FacesSearch } from '../search.ts';

export interface FaceFiltersProps {
  filters: FacesSearch;
  /** Names only what changes; undefined lifts a filter. */
  onFilter: (change: {
    [K in 'search' | 'category' | 'status' | 'added_by']?: FacesSearch[K] | undefined;
  }) => void;
  onRefresh: () => void;
  refreshing: boolean;
  /** Name of the account of `added_by`; '' while it is unknown. */
  addedBy: string;
}

/** A filter that only a link sets: it says what it is, and goes with one press. */
function AddedByFilter({ name, onClear }: { name: string; onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Button
      look="secondary"
      className="order-last max-w-full sm:order-none"
      aria-label={t('faces.clearAddedBy')}
      onClick={onClear}
    >
      <span className="min-w-0 truncate">
        {name === '' ? t('faces.addedByAccount') : t('faces.addedBy', { name })}
      </span>
      <X aria-hidden className="shrink-0" />
    </Button>
  );
}

function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useTyped(value);
  return (
    <search className="min-w-0 flex-1 basis-full sm:basis-64">
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(typed.trim());
        }}
      >
        <Input
          type="search"
          icon={<Search />}
          className="min-w-0 flex-1"
          aria-label={t('faces.search')}
          placeholder={t('faces.search')}
          value={typed}
          maxLength={150}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" look="secondary">
          {t('faces.searchButton')}
        </Button>
      </form>
    </search>
  );
}

export function FaceFilters({
  filters,
  onFilter,
  onRefresh,
  refreshing,
  addedBy,
}: FaceFiltersProps) {
  const { t } = useTranslation();
  const categories = useQuery(categoriesQuery());
  const categoryName = useCategoryName();
  const { search = '', category = '', status = '' } = filters;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox
        value={search}
        onSearch={(text) => onFilter({ search: text === '' ? undefined : text })}
      />
      <Select
        aria-label={t('person.category')}
        className="min-w-0 flex-1 sm:w-44 sm:flex-none"
        value={category}
        onChange={({ target }) => onFilter({ category: target.value || undefined })}
        options={[
          { value: '', label: t('faces.allCategories') },
          ...(categories.data?.results ?? []).map(({ id, name }) => ({
            value: id,
            label: categoryName(name),
          })),
        ]}
      />
      <Select
        aria-label={t('faces.status.label')}
        className="min-w-0 flex-1 sm:w-40 sm:flex-none"
        value={status}
        onChange={({ target }) =>
          onFilter({ status: (target.value || undefined) as FacesSearch['status'] })
        }
        options={[
          { value: '', label: t('faces.status.all') },
          { value: 'active', label: t('faces.status.active') },
          { value: 'inactive', label: t('faces.status.inactive') },
        ]}
      />
      {filters.added_by !== undefined && (
        <AddedByFilter name={addedBy} onClear={() => onFilter({ added_by: undefined })} />
      )}
      <IconButton
        look="secondary"
        label={t('ui.refresh')}
        aria-busy={refreshing}
        onClick={onRefresh}
      >
        {refreshing ? <Spinner /> : <RefreshCw aria-hidden />}
      </IconButton>
    </div>
  );
}
