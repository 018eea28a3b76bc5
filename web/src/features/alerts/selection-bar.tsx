import { nextStatuses, type AlertStatusFields } from '@nazar/contract/alerts.ts';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import type { ChangeStatus, ShownAlert } from './shown-alert.ts';

export interface SelectionBarProps {
  alerts: readonly ShownAlert[];
  chosen: ReadonlySet<string>;
  onChoose: (ids: readonly string[], isChosen: boolean) => void;
  onClear: () => void;
  onChange: ChangeStatus;
}

/** In place of the filters while alerts are ticked. What one of them can't become, it doesn't. */
export function SelectionBar({ alerts, chosen, onChoose, onClear, onChange }: SelectionBarProps) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [isResolving, setResolving] = useState(false);
  const isWhole = alerts.every(({ id }) => chosen.has(id));
  const able = (to: AlertStatusFields['status']) =>
    alerts.filter(({ id, status }) => chosen.has(id) && nextStatuses[status].includes(to));
  const [resolvable, dismissible] = [able('resolved'), able('dismissed')];
  const run = async (fields: AlertStatusFields): Promise<void> => {
    setResolving(false);
    setBusy(true);
    await onChange(able(fields.status), fields);
    setBusy(false);
    onClear();
  };
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3">
      <Checkbox
        label={t('alerts.selectPage')}
        checked={isWhole}
        mixed={!isWhole}
        onChange={({ target }) =>
          onChoose(
            alerts.map(({ id }) => id),
            target.checked,
          )
        }
      />
      <output className="text-ui text-muted">{t('alerts.selected', { count: chosen.size })}</output>
      <div className="ml-auto flex flex-wrap gap-2">
        <Button look="ghost" size="small" onClick={onClear}>
          {t('alerts.clearSelection')}
        </Button>
        <Button
          look="secondary"
          size="small"
          busy={isBusy}
          disabled={resolvable.length === 0}
          onClick={() => setResolving(true)}
        >
          <Check aria-hidden />
          {t('alerts.resolveMany', { count: resolvable.length })}
        </Button>
        <Button
          look="secondary"
          size="small"
          busy={isBusy}
          disabled={dismissible.length === 0}
          onClick={() => void run({ status: 'dismissed' })}
        >
          <X aria-hidden />
          {t('alerts.dismissMany', { count: dismissible.length })}
        </Button>
      </div>
      {isResolving && (
        <ResolveDialog
          alerts={resolvable}
          onResolve={(notes) =>
            void run({ status: 'resolved', ...(notes !== '' && { resolution_notes: notes }) })
          }
          onClose={() => setResolving(false)}
        />
      )}
    </div>
  );
}
