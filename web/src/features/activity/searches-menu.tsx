/** Saved and recent searches: to apply, to save the present one, to delete. */
import type { SavedSearch } from '@nazar/contract/saved-searches.ts';
import { useQuery } from '@tanstack/react-query';
import { Bookmark, BookmarkPlus, History, Trash2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { problemSentence } from '#api/problem.ts';
import { useUser } from '#api/session.ts';
import { Button } from '#ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#ui/menu.tsx';
import { RECENT_SHOWN, recentSearches } from './last-entries.ts';
import { savedSearchesQuery, useRemoveSearch } from './queries.ts';
import { isWorthSaving, searchOf, type ActivitySearch } from './search.ts';

export interface SearchesMenuProps {
  search: ActivitySearch;
  onApply: (search: ActivitySearch) => void;
  onSave: () => void;
  onDone: (sentence: string) => void;
  onFailed: (sentence: string) => void;
}

export function SearchesMenu({ search, onApply, onSave, onDone, onFailed }: SearchesMenuProps) {
  const { t } = useTranslation();
  const { data } = useQuery(savedSearchesQuery());
  const saved = data?.results ?? [];
  // The mutation belongs to the menu: its item is gone before the answer is here.
  const remove = useRemoveSearch();
  const forget = ({ id }: SavedSearch): void =>
    remove.mutate(id, {
      onSuccess: () => onDone(t('activityLog.searchDeleted')),
      onError: (error) => onFailed(problemSentence(error)),
    });
  return (
    <Menu
      trigger={
        <Button look="secondary">
          <Bookmark aria-hidden />
          {t('activityLog.searches')}
        </Button>
      }
    >
      <MenuItem
        icon={<BookmarkPlus aria-hidden />}
        disabled={!isWorthSaving(search)}
        onSelect={onSave}
      >
        {t('activityLog.saveSearch')}
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>{t('activityLog.searches')}</MenuLabel>
      {saved.length === 0 && (
        <MenuItem disabled onSelect={() => undefined}>
          {t('activityLog.noSearches')}
        </MenuItem>
      )}
      {saved.map((one) => (
        <Saved key={one.id} saved={one} onApply={() => onApply(searchOf(one, search))} />
      ))}
      <Recent onPick={(term) => onApply({ ...search, search: term })} />
      {saved.length > 0 && <MenuSeparator />}
      {saved.map((one) => (
        <MenuItem key={one.id} icon={<Trash2 aria-hidden />} danger onSelect={() => forget(one)}>
          {t('activityLog.deleteSearch', { name: one.name })}
        </MenuItem>
      ))}
    </Menu>
  );
}

function Saved({ saved, onApply }: { saved: SavedSearch; onApply: () => void }) {
  return (
    <MenuItem icon={<Bookmark aria-hidden />} onSelect={onApply}>
      {saved.name}
    </MenuItem>
  );
}

function Recent({ onPick }: { onPick: (term: string) => void }) {
  const { t } = useTranslation();
  const recent = recentSearches(useUser().id).slice(0, RECENT_SHOWN);
  if (recent.length === 0) return null;
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{t('activityLog.recent')}</MenuLabel>
      {recent.map((term) => (
        <MenuItem key={term} icon={<History aria-hidden />} onSelect={() => onPick(term)}>
          {term}
        </MenuItem>
      ))}
    </>
  );
}
