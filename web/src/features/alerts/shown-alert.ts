/** An alert as the reader sees it: with what they did about it, also before the server has it (ALR-009). */
import type { User } from '@nazar/contract/accounts.ts';
import type { Alert, AlertStatusFields } from '@nazar/contract/alerts.ts';
import { alertChanges, type AlertChange } from '#api/offline-alerts.ts';
import { useUser } from '#api/session.ts';
import { useSignal } from '#lib/signal.ts';

export type ShownAlert = Alert & {
  /** The change is not on the server yet. */
  readonly isUnsaved: boolean;
};

export type ChangeStatus = (alerts: readonly Alert[], fields: AlertStatusFields) => Promise<void>;

const nameOf = ({ first_name, last_name }: User): string => `${first_name} ${last_name}`.trim();

function withChange<A extends Alert>(
  alert: A,
  change: AlertChange | undefined,
  me: User,
): A & ShownAlert {
  if (change === undefined) return { ...alert, isUnsaved: false };
  const { status, resolution_notes: notes = '' } = change.fields;
  const mine =
    status === 'in_progress'
      ? { assigned_to: me.id, assigned_to_name: nameOf(me) }
      : { resolved_by: me.id, resolved_by_name: nameOf(me), resolution_notes: notes };
  return { ...alert, ...mine, status, isUnsaved: change.isWaiting };
}

export function useShown(): <A extends Alert>(alert: A) => A & ShownAlert {
  const me = useUser();
  const changes = useSignal(alertChanges);
  return (alert) => withChange(alert, changes.get(alert.id), me);
}
