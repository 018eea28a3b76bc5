import type { ActivityEntry } from '@nazar/contract/activity.ts';
import { Trash2 } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';

export interface SelectionBarProps {
  entries: readonly ActivityEntry[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onClear: () => void;
  onDelete: () => void;
}

/** In place of the filters while entries are ticked. */
export function SelectionBar({ entries, chosen, onChoose, onClear, onDelete }: SelectionBarProps) {
  const { t } = useTranslation();
  const isWhole = entries.every(({ id }) => chosen.has(id));
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3">
      <Checkbox
        label={t('activityLog.selectPage')}
        checked={isWhole}
        mixed={!isWhole}
        onChange={({ target }) =>
          onChoose(
            entries.map(({ id }) => id),
            target.checked,
          )
        }
      />
      <output className="text-ui text-muted">
        {t('activityLog.selected', { count: chosen.size })}
      </output>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button look="ghost" size="small" onClick={onClear}>
          {t('activityLog.clearSelection')}
        </Button>
        <Button look="danger" size="small" onClick={onDelete}>
          <Trash2 aria-hidden />
          {t('activityLog.deleteSelected')}
        </Button>
      </div>
    </div>
  );
}
