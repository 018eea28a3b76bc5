import { FilterIcon, FilterX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Menu, MenuItem } from '#ui/menu.tsx';
import type { Change } from './search.ts';

export interface ValueMenuProps {
  /** In the reader's words. */
  value: string;
  /** Shows only entries that have the value. */
  only: Change;
  /** Shows only entries that do not have it. */
  without: Change;
  onFilter: (change: Change) => void;
  children: ReactNode;
}

/** A value with a menu that filters the list by it: only this value, or all but this one. */
export function ValueMenu({ value, only, without, onFilter, children }: ValueMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t('activityLog.valueMenu', { value })}
          className="min-h-6 max-w-full truncate rounded-sm text-left decoration-dotted underline-offset-4 hover:underline touch:min-h-11"
        >
          {children}
        </button>
      }
    >
      <MenuItem icon={<FilterIcon aria-hidden />} onSelect={() => onFilter(only)}>
        {t('activityLog.only', { value })}
      </MenuItem>
      <MenuItem icon={<FilterX aria-hidden />} onSelect={() => onFilter(without)}>
        {t('activityLog.without', { value })}
      </MenuItem>
    </Menu>
  );
}
