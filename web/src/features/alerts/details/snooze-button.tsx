import { BellOff } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { canBeSnoozed } from '../snooze/snoozes.ts';
import type { ShownAlert } from '../shown-alert.ts';

export interface SnoozeButtonProps {
  alert: ShownAlert;
  onSnooze: () => void;
}

/** Also on an alert that is dealt with: the next one of its kind may be what is too much. */
export function SnoozeButton({ alert, onSnooze }: SnoozeButtonProps) {
  const { t } = useTranslation();
  if (!canBeSnoozed(alert)) return null;
  return (
    <Button look="secondary" size="small" onClick={onSnooze}>
      <BellOff aria-hidden />
      {t('alerts.snooze')}
    </Button>
  );
}
