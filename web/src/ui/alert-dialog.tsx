import type { ReactNode } from 'react';
import { onDemand } from '#lib/on-demand.tsx';
import { useWasOpened } from './dialog.tsx';

export interface AlertDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** Names the thing and what happens to it. */
  description: ReactNode;
  /** The verb of what happens, never "OK". */
  confirmLabel: string;
  /** Where the other button does more than close: what it does. */
  cancelLabel?: string;
  danger?: boolean;
  busy?: boolean;
  /** What went wrong at the last attempt. */
  error?: ReactNode;
}

const { Component: AlertDialogWindow } = onDemand<AlertDialogProps>(
  async () => (await import('./alert-dialog-window.tsx')).AlertDialogWindow,
);

/** Asks before something that cannot be taken back. Focus starts on Cancel. */
export function AlertDialog(props: AlertDialogProps) {
  const wasOpened = useWasOpened(props.open);
  return wasOpened ? <AlertDialogWindow {...props} /> : null;
}
