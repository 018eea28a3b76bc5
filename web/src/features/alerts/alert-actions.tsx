/** What can be done about one alert: while it is new, anything; in progress, only that it is resolved; then nothing. */
import { nextStatuses } from '@nazar/contract/alerts.ts';
import { Check, UserCheck, UserPlus, X, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import type { ChangeStatus, ShownAlert } from './shown-alert.ts';

export interface AlertActionsProps {
  alert: ShownAlert;
  onChange: ChangeStatus;
  /** Signs alone, in a row of a table. */
  isSmall?: boolean;
}

interface Deed {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly onDo: () => void;
}

export function AlertActions({ alert, onChange, isSmall = false }: AlertActionsProps) {
  const [open, setOpen] = useState<'resolve' | 'assign' | null>(null);
  const deeds = useDeeds(alert, onChange, setOpen);
  const close = (): void => setOpen(null);
  if (deeds.length === 0 && open === null) return null;
  return (
    <div className={isSmall ? 'flex justify-end gap-1' : 'flex flex-wrap gap-2'}>
      {deeds.map((deed, index) => (
        <DeedButton key={deed.label} {...deed} {...{ alert, isSmall, isFirst: index === 0 }} />
      ))}
      {open === 'resolve' && (
        <ResolveDialog
          alerts={[alert]}
          onResolve={(notes) => {
            close();
            void onChange([alert], {
              status: 'resolved',
              ...(notes !== '' && { resolution_notes: notes }),
            });
          }}
          onClose={close}
        />
      )}
      {open === 'assign' && <AssignDialog alert={alert} onClose={close} />}
    </div>
  );
}

function useDeeds(
  alert: ShownAlert,
  onChange: ChangeStatus,
  onOpen: (dialog: 'resolve' | 'assign') => void,
): readonly Deed[] {
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
            onDo: () => onOpen('resolve'),
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
      ? [{ label: t('alerts.assign'), Icon: UserPlus, onDo: () => onOpen('assign') }]
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
