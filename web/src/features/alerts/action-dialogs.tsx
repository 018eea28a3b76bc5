/**
 * The dialogs that actions on alerts open. They belong to the page, not to the row that opened them: a list that
 * becomes cards, or is sent anew, takes nothing that was typed with it.
 */
import { useState, type ReactNode } from 'react';
import { onDemand } from '#lib/on-demand.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';
import type { ChangeStatus, ShownAlert } from './shown-alert.ts';
import type { SnoozeDialogProps } from './snooze/snooze-dialog.tsx';

const { Component: SnoozeDialog } = onDemand<SnoozeDialogProps>(async () => {
  const loaded = await import('./snooze/snooze-dialog.tsx');
  return loaded.SnoozeDialog;
});

type ActionDialog = 'resolve' | 'assign' | 'snooze';

export type AskFor = (dialog: ActionDialog, alert: ShownAlert) => void;

interface Asked {
  readonly dialog: ActionDialog;
  readonly alert: ShownAlert;
}

export function useActionDialogs(onChange: ChangeStatus): {
  readonly onAsk: AskFor;
  readonly dialogs: ReactNode;
} {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const onAsk: AskFor = (dialog, alert) => setAsked({ dialog, alert });
  if (asked === null) return { onAsk, dialogs: null };
  const { dialog, alert } = asked;
  if (dialog === 'assign') {
    return { onAsk, dialogs: <AssignDialog alert={alert} onClose={close} /> };
  }
  if (dialog === 'snooze') {
    return { onAsk, dialogs: <SnoozeDialog alert={alert} onClose={close} /> };
  }
  const resolve = (notes: string): void => {
    close();
    const fields = {
      status: 'resolved',
      ...(notes !== '' && { resolution_notes: notes }),
    } as const;
    void onChange([alert], fields);
  };
  return { onAsk, dialogs: <ResolveDialog alerts={[alert]} onResolve={resolve} onClose={close} /> };
}
