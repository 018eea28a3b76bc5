/** What can be done about one alert: while it is new, anything; in progress, only that it is resolved; then nothing. */
import { nextStatuses } from '@nazar/contract/alerts.ts';
import { Check, UserCheck, UserPlus, X, type LucideIcon } from 'lucide-react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { AskFor } from './action-dialogs.tsx';
import type { ChangeStatus, ShownAlert } from './shown-alert.ts';

export interface AlertActionsProps {
  alert: ShownAlert;
  onChange: ChangeStatus;
  onAsk: AskFor;
  /** Signs alone, in a row of a table. */
  isSmall?: boolean;
}

interface Deed {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly onDo: () => void;
}

export function AlertActions({ alert, onChange, onAsk, isSmall = false }: AlertActionsProps) {
  const deeds = useDeeds(alert, onChange, onAsk);
  if (deeds.length === 0) return null;
  return (
    <div className={isSmall ? 'flex justify-end gap-1' : 'flex flex-wrap gap-2'}>
      {deeds.map((deed, index) => (
        <DeedButton key={deed.label} {...deed} {...{ alert, isSmall, isFirst: index === 0 }} />
      ))}
    </div>
  );
}

function useDeeds(alert: ShownAlert, onChange: ChangeStatus, onAsk: AskFor): readonly Deed[] {
  const { t } = useTranslation();
  const mayAssign = isAdministrator(useUser());
  const next = nextStatuses[alert.status];
  const isNew = next.includes('in_progress');
  return [
    ...(isNew
      ? [
          {
            label: t('alerts.assignToMe'),
            Icon: UserCheck,
            onDo: () => void onChange([alert], { status: 'in_progress' }),
          },
        ]
      : []),
    ...(next.includes('resolved')
      ? [
          {
            label: isNew ? t('alerts.resolve') : t('alerts.markResolved'),
            Icon: Check,
            onDo: () => onAsk('resolve', alert),
          },
        ]
      : []),
    ...(next.includes('dismissed')
      ? [
          {
            label: t('alerts.dismiss'),
            Icon: X,
            onDo: () => void onChange([alert], { status: 'dismissed' }),
          },
        ]
      : []),
    ...(isNew && mayAssign
      ? [{ label: t('alerts.assign'), Icon: UserPlus, onDo: () => onAsk('assign', alert) }]
      : []),
  ];
}

interface DeedButtonProps extends Deed {
  alert: ShownAlert;
  isSmall: boolean;
  isFirst: boolean;
}

function DeedButton({ label, Icon, onDo, alert, isSmall, isFirst }: DeedButtonProps) {
  const { t } = useTranslation();
  const named = t('alerts.actionOf', { action: label, title: alert.title });
  if (isSmall) {
    return (
      <IconButton label={named} small onClick={onDo}>
        <Icon aria-hidden />
      </IconButton>
    );
  }
  return (
    <Button look={isFirst ? 'primary' : 'secondary'} size="small" aria-label={named} onClick={onDo}>
      <Icon aria-hidden />
      {label}
    </Button>
  );
}
